;; The scans of the vector index. All numbers are integers, so the plain JavaScript twin in kernel.ts gives the same results.
;; Every address is a byte offset into the imported memory and a multiple of 16.
(module
  (import "host" "memory" (memory 1 65536))

  ;; Hamming distance of the query to `count` vectors of sign bits, `stride` bytes each (a multiple of 16), as u16 at `out`.
  (func (export "hamming") (param $bits i32) (param $count i32) (param $stride i32) (param $query i32) (param $out i32)
    (local $end i32) (local $rowEnd i32) (local $blockEnd i32) (local $q i32) (local $eight v128) (local $sixteen v128)
    (local.set $end (i32.add (local.get $bits) (i32.mul (local.get $count) (local.get $stride))))
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $bits) (local.get $end)))
        (local.set $rowEnd (i32.add (local.get $bits) (local.get $stride)))
        (local.set $blockEnd (i32.add (local.get $bits) (i32.and (local.get $stride) (i32.const -128))))
        (local.set $q (local.get $query))
        (local.set $sixteen (v128.const i64x2 0 0))
        ;; 128 bytes at a time: eight counts of at most 8 fit a byte.
        (block $blocksDone
          (loop $blocks
            (br_if $blocksDone (i32.ge_u (local.get $bits) (local.get $blockEnd)))
            (local.set $eight (i8x16.popcnt (v128.xor (v128.load (local.get $bits)) (v128.load (local.get $q)))))
            (local.set $eight (i8x16.add (local.get $eight) (i8x16.popcnt (v128.xor (v128.load offset=16 (local.get $bits)) (v128.load offset=16 (local.get $q))))))
            (local.set $eight (i8x16.add (local.get $eight) (i8x16.popcnt (v128.xor (v128.load offset=32 (local.get $bits)) (v128.load offset=32 (local.get $q))))))
            (local.set $eight (i8x16.add (local.get $eight) (i8x16.popcnt (v128.xor (v128.load offset=48 (local.get $bits)) (v128.load offset=48 (local.get $q))))))
            (local.set $eight (i8x16.add (local.get $eight) (i8x16.popcnt (v128.xor (v128.load offset=64 (local.get $bits)) (v128.load offset=64 (local.get $q))))))
            (local.set $eight (i8x16.add (local.get $eight) (i8x16.popcnt (v128.xor (v128.load offset=80 (local.get $bits)) (v128.load offset=80 (local.get $q))))))
            (local.set $eight (i8x16.add (local.get $eight) (i8x16.popcnt (v128.xor (v128.load offset=96 (local.get $bits)) (v128.load offset=96 (local.get $q))))))
            (local.set $eight (i8x16.add (local.get $eight) (i8x16.popcnt (v128.xor (v128.load offset=112 (local.get $bits)) (v128.load offset=112 (local.get $q))))))
            (local.set $sixteen (i16x8.add (local.get $sixteen) (i16x8.extadd_pairwise_i8x16_u (local.get $eight))))
            (local.set $bits (i32.add (local.get $bits) (i32.const 128)))
            (local.set $q (i32.add (local.get $q) (i32.const 128)))
            (br $blocks)))
        (block $restDone
          (loop $rest
            (br_if $restDone (i32.ge_u (local.get $bits) (local.get $rowEnd)))
            (local.set $eight (i8x16.popcnt (v128.xor (v128.load (local.get $bits)) (v128.load (local.get $q)))))
            (local.set $sixteen (i16x8.add (local.get $sixteen) (i16x8.extadd_pairwise_i8x16_u (local.get $eight))))
            (local.set $bits (i32.add (local.get $bits) (i32.const 16)))
            (local.set $q (i32.add (local.get $q) (i32.const 16)))
            (br $rest)))
        (local.set $sixteen (i32x4.extadd_pairwise_i16x8_u (local.get $sixteen)))
        (i32.store16 (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sixteen)) (i32x4.extract_lane 1 (local.get $sixteen)))
            (i32.add (i32x4.extract_lane 2 (local.get $sixteen)) (i32x4.extract_lane 3 (local.get $sixteen)))))
        (local.set $out (i32.add (local.get $out) (i32.const 2)))
        (br $rows))))

  ;; How many of the `count` distances (u16) have each value, as u32 at `counts`, which is zero before.
  ;; A distance whose byte at `mask` is 0 is set to 65535 and not counted.
  (func (export "tally") (param $distances i32) (param $count i32) (param $mask i32) (param $counts i32)
    (local $i i32) (local $at i32) (local $slot i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $i) (local.get $count)))
        (local.set $at (i32.add (local.get $distances) (i32.shl (local.get $i) (i32.const 1))))
        (if (i32.load8_u (i32.add (local.get $mask) (local.get $i)))
          (then
            (local.set $slot (i32.add (local.get $counts) (i32.shl (i32.load16_u (local.get $at)) (i32.const 2))))
            (i32.store (local.get $slot) (i32.add (i32.load (local.get $slot)) (i32.const 1))))
          (else (i32.store16 (local.get $at) (i32.const 65535))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next))))

  ;; The places of all distances below `limit`, and of the first `ties` that equal it, as u32 at `out`. Gives how many.
  (func (export "collect") (param $distances i32) (param $count i32) (param $limit i32) (param $ties i32) (param $out i32) (result i32)
    (local $i i32) (local $start i32) (local $d i32) (local $wide v128) (local $all v128)
    (local.set $start (local.get $out))
    (local.set $all (i16x8.splat (local.get $limit)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $i) (local.get $count)))
        ;; Eight at once, where none is near enough: that is most of them.
        (if (i32.and (i32.le_u (i32.add (local.get $i) (i32.const 8)) (local.get $count)) (i32.eqz (i32.and (local.get $i) (i32.const 7))))
          (then
            (local.set $wide (v128.load (i32.add (local.get $distances) (i32.shl (local.get $i) (i32.const 1)))))
            (if (i32.eqz (v128.any_true (i16x8.le_u (local.get $wide) (local.get $all))))
              (then
                (local.set $i (i32.add (local.get $i) (i32.const 8)))
                (br $next)))))
        (local.set $d (i32.load16_u (i32.add (local.get $distances) (i32.shl (local.get $i) (i32.const 1)))))
        (if (i32.lt_u (local.get $d) (local.get $limit))
          (then
            (i32.store (local.get $out) (local.get $i))
            (local.set $out (i32.add (local.get $out) (i32.const 4))))
          (else
            (if (i32.and (i32.eq (local.get $d) (local.get $limit)) (i32.gt_s (local.get $ties) (i32.const 0)))
              (then
                (i32.store (local.get $out) (local.get $i))
                (local.set $out (i32.add (local.get $out) (i32.const 4)))
                (local.set $ties (i32.sub (local.get $ties) (i32.const 1)))))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $out) (local.get $start)) (i32.const 2)))

  ;; Dot product of the query (i16) with each of `count` vectors of signed bytes, `stride` bytes each, as i32 at `out`.
  (func (export "dots") (param $values i32) (param $count i32) (param $stride i32) (param $query i32) (param $out i32)
    (local $end i32) (local $rowEnd i32) (local $q i32) (local $bytes v128) (local $sum v128)
    (local.set $end (i32.add (local.get $values) (i32.mul (local.get $count) (local.get $stride))))
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $values) (local.get $end)))
        (local.set $rowEnd (i32.add (local.get $values) (local.get $stride)))
        (local.set $q (local.get $query))
        (local.set $sum (v128.const i64x2 0 0))
        (loop $row
          (local.set $bytes (v128.load (local.get $values)))
          (local.set $sum (i32x4.add (local.get $sum)
            (i32x4.add
              (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $bytes)) (v128.load (local.get $q)))
              (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $bytes)) (v128.load offset=16 (local.get $q))))))
          (local.set $values (i32.add (local.get $values) (i32.const 16)))
          (local.set $q (i32.add (local.get $q) (i32.const 32)))
          (br_if $row (i32.lt_u (local.get $values) (local.get $rowEnd))))
        (i32.store (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $rows)))))
