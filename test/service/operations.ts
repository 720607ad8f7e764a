import { answerChat } from './chat.ts';
import { answerEmbeddings } from './embeddings.ts';
import { isObject, type Json } from './fields.ts';
import type { Exchange, RecordedRequest } from './options.ts';
import { hashText, Refusal, sendJson } from './replies.ts';
import { tokenize } from './tokens.ts';
import { answerTranscription } from './transcriptions.ts';
import { answerTranslation, readTranslationForm } from './translations.ts';

const MODELS = ['parley-chat', 'parley-chat-large', 'parley-embed', 'parley-whisper'];

/** Finds what the path asks for and reads the body in the form that operation wants. */
export function readOperation(exchange: Exchange): { model?: unknown; run: () => void | Promise<void> } {
  const { record, settings } = exchange;
  const path = record.path.split('?')[0] ?? '';
  const name = path.startsWith(`${settings.basePath}/`) ? path.slice(settings.basePath.length + 1) : undefined;
  if (name === 'models' && settings.models) {
    requireMethod(record, 'GET');
    const own = MODELS.map((id) => ({ id, object: 'model', created: 1767225600, owned_by: 'parley-reference' }));
    const data = [...own.filter(({ id }) => !settings.listed.some((each) => each['id'] === id)), ...settings.listed];
    return { run: () => sendJson(exchange, 200, { object: 'list', data }) };
  }
  if (name === 'chat/completions' || name === 'embeddings') {
    requireMethod(record, 'POST');
    const json = readJson(exchange);
    const run = () => (name === 'embeddings' ? answerEmbeddings(exchange, json) : answerChat(exchange, json));
    return { model: json.model, run };
  }
  if (name === 'audio/translations') {
    requireMethod(record, 'POST');
    const parts = readTranslationForm(exchange);
    const model = parts.find((part) => part.name === 'model')?.value;
    return { model, run: () => answerTranslation(exchange, parts) };
  }
  if (name === 'audio/transcriptions' && settings.transcriptions !== false) {
    requireMethod(record, 'POST');
    const parts = readTranslationForm(exchange);
    const model = parts.find((part) => part.name === 'model')?.value;
    return { model, run: () => answerTranscription(exchange, parts) };
  }
  if (path === '/tokenize' && settings.tokenizer !== undefined) {
    requireMethod(record, 'POST');
    const { prompt, content } = readJson(exchange);
    const text = String(settings.tokenizer === 'vllm' ? prompt : content);
    const ids = tokenize(text).map((token) => hashText(token) % 100_000);
    const tokens =
      settings.tokenizer === 'vllm' ? { count: ids.length, max_model_len: 8192, tokens: ids } : { tokens: ids };
    return { run: () => sendJson(exchange, 200, tokens) };
  }
  throw new Refusal(404, `Unknown request URL: ${record.method} ${path}.`, { code: 'unknown_url' });
}

function requireMethod(record: RecordedRequest, method: string): void {
  if (record.method === method) return;
  throw new Refusal(405, `Use ${method} here.`, { code: 'method_not_allowed', headers: { allow: method } });
}

function readJson({ request, record, body }: Exchange): Json {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(?:;|$)/i.test(type)) {
    throw new Refusal(400, 'Content-Type must be application/json.', {
      param: 'content-type',
      code: 'invalid_content_type',
    });
  }
  try {
    record.body = JSON.parse(body.toString('utf8'));
  } catch {
    throw new Refusal(400, 'The body is not JSON.', { code: 'invalid_json' });
  }
  if (!isObject(record.body)) throw new Refusal(400, 'The body is not a JSON object.', { code: 'invalid_json' });
  return record.body;
}
