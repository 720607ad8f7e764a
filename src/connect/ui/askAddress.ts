import { l10n, type QuickPickItem, QuickPickItemKind } from 'vscode';
import { ask, chosenItem, type goBack, type QuestionStep } from '../../editor/quickInput.ts';
import { plain } from '../../editor/text/plainText.ts';
import { plainItems, window } from '../../editor/text/window.ts';
import { type AddressProblem, normaliseBaseUrl, possibleBaseUrls } from '../../service/endpoint.ts';
import type { Purpose } from '../../service/models/models.ts';
import { knownServices, ownPart } from '../knownServices.ts';
import { findLocalServices, type LocalPort, type LocalService, usualPorts } from '../localServices.ts';

/** `baseUrl` is '' for a heading. */
type Item = QuickPickItem & { baseUrl: string; anyway?: boolean; isHelp?: boolean };

export interface AddressQuestion {
  step: QuestionStep;
  /** The address in use; '' for none. */
  current: string;
  /** The base URL that was given before, when the question is asked once more. */
  before?: string | undefined;
  /** The reason why that one does not work; it is then offered to be used anyway. */
  why?: string | undefined;
  /** Ports of this machine, where services are looked for. */
  ports: readonly LocalPort[];
  /** Shows how a model is started on this machine. */
  help(): unknown;
}

export interface AddressAnswer {
  baseUrl: string;
  /** Whether the base URL is to be kept though it does not answer. */
  anyway: boolean;
}

/**
 * Asks for a base URL: the one in use, a service that answers on this machine, a well-known one, or whatever is typed.
 * This machine's usual ports are asked while the question is open, and at no other time.
 */
export async function askAddress(question: AddressQuestion): Promise<AddressAnswer | typeof goBack | undefined> {
  const { step, current, before, why, ports, help } = question;
  const prompt = l10n.t('Pick your service, or type its base URL, including its version, such as /v1.');
  const controller = new AbortController();
  const pick = window.createQuickPick<Item>();
  pick.title = plain(l10n.t('Parley: Connect'));
  pick.prompt = plain(prompt);
  pick.placeholder = plain('https://host/openai/v1');
  pick.busy = true;
  pick.matchOnDescription = true;
  const local: LocalService[] = [];
  let isSearched = false;
  let typed: readonly Item[] = [];

  const showItems = (): void => {
    const listed = listedItems(current, local, isSearched);
    // A word may be the name of a service as well: then the list comes first.
    pick.items = plainItems(looksLikeAddress(pick.value) ? [...typed, ...listed] : [...listed, ...typed]);
  };
  const readTyped = (value: string): void => {
    const address = normaliseBaseUrl(value);
    const isPattern = value.includes(ownPart);
    typed = address.ok && !isPattern ? possibleBaseUrls(address.baseUrl).map(typedItem) : [];
    const named = listedItems(current, local, isSearched).some((item) => holds(item, value.trim()));
    const right = isPattern ? l10n.t('Put the name of your resource in the place of “{0}”.', ownPart) : prompt;
    pick.prompt = plain(address.ok || named ? right : problemText(address.problem));
    if (address.ok && address.baseUrl === before && why !== undefined) {
      pick.prompt = plain(why);
      typed = [...typed, anywayItem(before)];
    }
    showItems();
  };
  pick.onDidChangeValue(readTyped);
  if (before === undefined) showItems();
  else {
    pick.value = before;
    readTyped(before);
  }
  void findLocalServices(
    ports,
    (service) => {
      local.push(service);
      const active = pick.activeItems[0]?.baseUrl;
      showItems();
      const kept = pick.items.filter(({ baseUrl }) => baseUrl !== '' && baseUrl === active);
      if (kept.length > 0) pick.activeItems = kept;
    },
    controller.signal,
  ).then(() => {
    if (controller.signal.aborted) return;
    pick.busy = false;
    isSearched = true;
    showItems();
  });

  const chosen = await ask(pick, step, () => {
    const item = chosenItem(pick);
    // Enter right after typing finds the list as it was before; the typed text is meant.
    const stale = looksLikeAddress(pick.value) && !(item && holds(item, pick.value.trim()));
    const { baseUrl = '', anyway = false, isHelp = false } = (stale ? typed[0] : item) ?? {};
    if (isHelp) {
      void help();
      pick.hide();
    }
    if (baseUrl.includes(ownPart)) {
      pick.value = baseUrl;
      readTyped(baseUrl);
      return undefined;
    }
    return baseUrl === '' ? undefined : { baseUrl, anyway };
  });
  controller.abort();
  return chosen;
}

const looksLikeAddress = (text: string): boolean => /[.:/]/.test(text);

function holds(item: Item, text: string): boolean {
  return (
    item.alwaysShow === true || `${item.label} ${item.description ?? ''}`.toLowerCase().includes(text.toLowerCase())
  );
}

function typedItem(baseUrl: string): Item {
  const detail = l10n.t('Parley will call {0}', `${baseUrl}/chat/completions`);
  return { baseUrl, label: l10n.t('Use {0}', baseUrl), detail, alwaysShow: true };
}

function anywayItem(baseUrl: string): Item {
  const detail = l10n.t('For a service that is not running now. It is not tried, and the old connection is given up.');
  return { baseUrl, label: l10n.t('Use {0} Anyway', baseUrl), detail, alwaysShow: true, anyway: true };
}

/** @param isSearched whether all ports of this machine have been asked */
function listedItems(current: string, local: readonly LocalService[], isSearched: boolean): Item[] {
  const groups: [heading: string, items: Item[]][] = [
    [l10n.t('in use'), current === '' ? [] : [{ baseUrl: current, label: current }]],
    [l10n.t('on this machine'), local.map(localItem)],
    [l10n.t('well known'), knownServices.map(({ name, baseUrl }) => ({ baseUrl, label: name, description: baseUrl }))],
    // Behind the others: Enter would take the first.
    [l10n.t('on this machine'), isSearched && local.length === 0 ? [helpItem()] : []],
  ];
  return groups.flatMap(([heading, items]) => {
    const others = items.filter(({ label, baseUrl }) => baseUrl === '' || label === current || baseUrl !== current);
    return others.length === 0 ? [] : [{ baseUrl: '', label: heading, kind: QuickPickItemKind.Separator }, ...others];
  });
}

function localItem({ baseUrl, port, program, models }: LocalService): Item {
  const found =
    models === undefined
      ? l10n.t('needs a key')
      : models.length === 1
        ? l10n.t('1 model')
        : l10n.t('{0} models', models.length);
  const serves = (['chat', 'embeddings', 'audio'] as const)
    .filter((purpose) => models?.some((model) => model.purpose === purpose))
    .map(purposeText);
  const parts = [l10n.t('usual port of {0}', program), [found, serves.join(', ')].filter(Boolean).join(': ')];
  return { baseUrl, label: `localhost:${port}`, description: parts.join(' · ') };
}

function helpItem(): Item {
  const detail = l10n.t('None answers there now. Shows how one is started.');
  const programs = usualPorts.map(({ program }) => program).join(', ');
  return { baseUrl: '', label: l10n.t('Start a Model on This Machine…'), description: programs, detail, isHelp: true };
}

function purposeText(purpose: Purpose): string {
  const texts = { chat: l10n.t('chat'), embeddings: l10n.t('embeddings'), audio: l10n.t('audio') };
  return texts[purpose];
}

function problemText(problem: AddressProblem): string {
  const texts: Record<AddressProblem, string> = {
    empty: l10n.t('Type the address of your service.'),
    invalid: l10n.t('This is not an address; it looks like https://host/openai/v1.'),
    scheme: l10n.t('The address begins with https:// (or http:// on this machine).'),
    credentials: l10n.t('Leave the user name and password out; the key is asked for next.'),
  };
  return texts[problem];
}
