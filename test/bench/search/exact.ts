import wabt from 'wabt';

/** The `k` places of the nearest by cosine, found by looking at all: what recall is held against. All at length 1. */
export interface Exact {
  add(vector: Float32Array): void;
  nearest(): number[][];
}

/** Dot products, in float32, of the vector at 0 with `count` others of so many bytes each that follow it, to `out`. */
const source = `(module
  (import "host" "memory" (memory 1))
  (func (export "dots") (param $bytes i32) (param $count i32) (param $out i32)
    (local $at i32) (local $v i32) (local $sum v128) (local $more v128)
    (local.set $at (local.get $bytes))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (local.set $sum (v128.const i64x2 0 0))
        (local.set $more (v128.const i64x2 0 0))
        (local.set $v (i32.const 0))
        (loop $each
          (local.set $sum (f32x4.add (local.get $sum)
            (f32x4.mul (v128.load (local.get $v)) (v128.load (local.get $at)))))
          (local.set $more (f32x4.add (local.get $more)
            (f32x4.mul (v128.load offset=16 (local.get $v)) (v128.load offset=16 (local.get $at)))))
          (local.set $v (i32.add (local.get $v) (i32.const 32)))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $each (i32.lt_u (local.get $v) (local.get $bytes))))
        (local.set $sum (f32x4.add (local.get $sum) (local.get $more)))
        (f32.store (local.get $out)
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $sum)) (f32x4.extract_lane 1 (local.get $sum)))
            (f32.add (f32x4.extract_lane 2 (local.get $sum)) (f32x4.extract_lane 3 (local.get $sum)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $next)))))`;

type Dots = (bytes: number, count: number, out: number) => void;

/** In WebAssembly: a loop in JavaScript would take half of the time of the bench. */
export async function createExact(questions: readonly Float32Array[], k: number): Promise<Exact> {
  const bytes = (questions[0]?.length ?? 0) * 4;
  const out = bytes * (questions.length + 1);
  const memory = new WebAssembly.Memory({ initial: Math.ceil((out + questions.length * 4) / 65_536) });
  const binary = (await wabt()).parseWat('exact.wat', source, { simd: true }).toBinary({}).buffer;
  const module = new WebAssembly.Module(new Uint8Array(binary));
  const dots = new WebAssembly.Instance(module, { host: { memory } }).exports['dots'] as Dots;
  const vectorAt = new Float32Array(memory.buffer, 0, bytes / 4);
  const cosinesAt = new Float32Array(memory.buffer, out, questions.length);
  questions.forEach((question, index) => {
    new Float32Array(memory.buffer, bytes * (index + 1), question.length).set(question);
  });
  const best = questions.map(() => ({ cosines: new Float64Array(k).fill(-2), places: new Int32Array(k).fill(-1) }));
  let place = 0;
  return {
    add(vector) {
      vectorAt.set(vector);
      dots(bytes, questions.length, out);
      for (let index = 0; index < questions.length; index++) {
        const cosine = cosinesAt[index] as number;
        const { cosines, places } = best[index] as { cosines: Float64Array; places: Int32Array };
        if (cosine <= (cosines[k - 1] as number)) continue;
        let at = k - 1;
        for (; at > 0 && cosine > (cosines[at - 1] as number); at--) {
          cosines[at] = cosines[at - 1] as number;
          places[at] = places[at - 1] as number;
        }
        cosines[at] = cosine;
        places[at] = place;
      }
      place++;
    },
    nearest: () => best.map(({ places }) => [...places]),
  };
}
