/** Languages of the comments that questions are made of. */
export const commentLanguages = ['Chinese', 'Japanese', 'Korean', 'German', 'Russian', 'Thai'] as const;
export type CommentLanguage = (typeof commentLanguages)[number];

/** A package whose comments are in a language other than English, at one version. */
export interface CommentedPackage {
  name: string;
  source: 'npm' | 'debian-source';
  version: string;
  language: CommentLanguage;
  /** The folders that are kept; all of them where absent. */
  parts?: readonly string[];
  /** Files that are made from others of the package, with the same comments. */
  made?: RegExp;
}

type Rest = Pick<CommentedPackage, 'parts' | 'made'>;
const npm = (language: CommentLanguage, name: string, version: string, rest: Rest = {}): CommentedPackage => ({
  language,
  name,
  version,
  source: 'npm',
  ...rest,
});
const declarations = /\.d\.[cm]?ts$/;

/** All of them are put into one index. Of Thai there are few: a dozen packages were looked through for these. */
export const packages: readonly CommentedPackage[] = [
  npm('Chinese', 'wangeditor', '4.7.15', { parts: ['src'] }),
  npm('Chinese', 'uview-ui', '2.0.38'),
  npm('Chinese', 'xe-utils', '4.0.13', { parts: ['src'] }),
  npm('Japanese', '@akashic/akashic-engine', '3.21.3', { parts: ['lib'], made: declarations }),
  npm('Japanese', '@akashic/game-driver', '2.26.0', { parts: ['lib'], made: declarations }),
  npm('Japanese', '@geolonia/normalize-japanese-addresses', '3.1.3', { parts: ['src'] }),
  npm('Japanese', 'json-kifu-format', '5.5.0', { parts: ['src'] }),
  npm('Korean', '@egjs/axes', '3.9.3', { parts: ['src'] }),
  npm('Korean', '@egjs/grid', '1.18.0', { parts: ['src'] }),
  npm('Korean', '@egjs/view360', '3.6.4', { parts: ['src'] }),
  npm('Korean', 'iamport-rest-client-nodejs', '0.9.12', { parts: ['lib'] }),
  npm('Korean', 'krds-uiux', '1.1.0', { parts: ['resources'] }),
  npm('Korean', 'holiday-kr', '0.1.5'),
  { language: 'German', name: 'jameica-util', version: '2.8-3', source: 'debian-source' },
  { language: 'German', name: 'jameica-datasource', version: '2.8.1+dfsg-4', source: 'debian-source' },
  npm('German', 'iobroker.heatingcontrol', '3.3.1', { parts: ['lib'] }),
  npm('German', 'iobroker.fritzdect', '2.6.2', { parts: ['lib'] }),
  npm('Russian', '@vkontakte/vkui', '8.4.0', { parts: ['src'] }),
  npm('Russian', 'az', '0.2.3', { parts: ['src'] }),
  npm('Russian', 'crypto-pro', '2.5.2', { parts: ['lib'], made: /\.js$/ }),
  npm('Russian', 'moysklad', '0.20.0', { parts: ['src'] }),
  npm('Thai', 'thai-address-universal', '2.2.0', { parts: ['dist'], made: /(?:^|\/)(?:cjs|umd)\// }),
  npm('Thai', 'thai-baht-text-ts', '1.1.0', { parts: ['src', 'example'] }),
  npm('Thai', 'vue-thailand-address', '3.4.2', { parts: ['dist'], made: /\.js$/ }),
  npm('Thai', 'bahttext', '2.4.0'),
  npm('Thai', 'thaibulksms-api', '1.0.7'),
  npm('Thai', 'utility-fns', '1.8.0'),
  npm('Thai', 'tnthai', '1.0.4'),
];
