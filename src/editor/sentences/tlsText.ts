import { l10n } from 'vscode';

const wantsCertificate =
  /CERTIFICATE_REQUIRED|ALERT_(?:NO|BAD|UNKNOWN|UNSUPPORTED)_?CERT|ALERT_CERTIFICATE|HANDSHAKE_FAILURE/;
/** Whether the certificate of this machine is at fault: it cannot be read, or is no pair with its key. */
const isOwnCertificate = (code = ''): boolean =>
  /^CLIENT_CERTIFICATE$|KEY_VALUES_MISMATCH|OSSL_(?:PEM|EVP)|NO_START_LINE|BAD_DECRYPT/.test(code);

/** @param code the name of the problem in OpenSSL or Node */
export function tlsSentence(host: string, code: string): string {
  if (isOwnCertificate(code))
    return l10n.t(
      'The certificate of this machine for {0} cannot be used ({1}); the setting parley.network.clientCertificates names its files.',
      host,
      code,
    );
  if (/EXPIRED/.test(code)) return l10n.t('The certificate of {0} has expired ({1}).', host, code);
  if (/ALTNAME|HOSTNAME/.test(code)) return l10n.t('The certificate of {0} is for another host ({1}).', host, code);
  if (/NO_APPLICATION_PROTOCOL/.test(code))
    return l10n.t('{0} speaks neither HTTP/1.1 nor HTTP/2 over a secure connection ({1}).', host, code);
  if (/UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION|VERSION_TOO_LOW|NO_PROTOCOLS/.test(code))
    return l10n.t(
      '{0} speaks only a version of TLS that is no longer safe ({1}); it has to be brought up to date.',
      host,
      code,
    );
  if (/CERTIFICATE_REQUIRED|ALERT_(?:NO|BAD|UNKNOWN|UNSUPPORTED)_?CERT|ALERT_CERTIFICATE/.test(code))
    return l10n.t(
      '{0} wants a certificate of this machine to let it in ({1}), which the setting parley.network.clientCertificates names.',
      host,
      code,
    );
  if (/ALERT|HANDSHAKE|NO_SHARED_CIPHER|NO_CIPHERS|DH_KEY_TOO_SMALL|EE_KEY_TOO_SMALL/.test(code))
    return l10n.t(
      '{0} refused the secure connection ({1}): it may want a certificate of this machine, or a protocol that Node does not speak.',
      host,
      code,
    );
  if (/WRONG_VERSION|EPROTO|PACKET_LENGTH|WRONG_SSL/.test(code))
    return l10n.t('{0} does not speak TLS ({1}); its address may have to begin with http://.', host, code);
  return l10n.t(
    'The certificate of {0} is not trusted on this machine ({1}); its authority belongs in the system store, which the setting http.systemCertificates lets Parley read.',
    host,
    code,
  );
}

/** Whether a failure is about a certificate of this machine: the service wants one, or it cannot be used. */
export function isAboutOwnCertificate(code = ''): boolean {
  return isOwnCertificate(code) || wantsCertificate.test(code);
}
