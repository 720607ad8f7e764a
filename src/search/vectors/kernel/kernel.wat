;; The scans of the vector index. All numbers are integers, so the plain JavaScript twin in plainScans.ts gives the same results.
;; Every address is a byte offset into the imported memory and a multiple of 16.
(module
  (import "host" "memory" (memory 1 65536))

  ;; Hamming distance of the query to `count` vectors of sign bits, `stride` bytes each (a multiple of 16), as u16 at `out`.
  ;; The rows are eight runs, one row of each at a time: the memory is asked for eight places at once, and not for the next
  ;; only when the one before has come. That is a third of the time where the rows are in no cache.
  (func (export "hamming") (param $bits i32) (param $count i32) (param $stride i32) (param $query i32) (param $out i32)
    (local $run i32) (local $left i32) (local $column i32) (local $stop i32) (local $q v128)
    (local $row0 i32) (local $out0 i32) (local $eight0 v128) (local $sixteen0 v128)
    (local $row1 i32) (local $out1 i32) (local $eight1 v128) (local $sixteen1 v128)
    (local $row2 i32) (local $out2 i32) (local $eight2 v128) (local $sixteen2 v128)
    (local $row3 i32) (local $out3 i32) (local $eight3 v128) (local $sixteen3 v128)
    (local $row4 i32) (local $out4 i32) (local $eight4 v128) (local $sixteen4 v128)
    (local $row5 i32) (local $out5 i32) (local $eight5 v128) (local $sixteen5 v128)
    (local $row6 i32) (local $out6 i32) (local $eight6 v128) (local $sixteen6 v128)
    (local $row7 i32) (local $out7 i32) (local $eight7 v128) (local $sixteen7 v128)
    (local.set $run (i32.shr_u (i32.add (local.get $count) (i32.const 7)) (i32.const 3)))
    (local.set $out0 (call $runStart (i32.const 0) (local.get $run) (local.get $count)))
    (local.set $out1 (call $runStart (i32.const 1) (local.get $run) (local.get $count)))
    (local.set $out2 (call $runStart (i32.const 2) (local.get $run) (local.get $count)))
    (local.set $out3 (call $runStart (i32.const 3) (local.get $run) (local.get $count)))
    (local.set $out4 (call $runStart (i32.const 4) (local.get $run) (local.get $count)))
    (local.set $out5 (call $runStart (i32.const 5) (local.get $run) (local.get $count)))
    (local.set $out6 (call $runStart (i32.const 6) (local.get $run) (local.get $count)))
    (local.set $out7 (call $runStart (i32.const 7) (local.get $run) (local.get $count)))
    (local.set $row0 (i32.add (local.get $bits) (i32.mul (local.get $out0) (local.get $stride))))
    (local.set $row1 (i32.add (local.get $bits) (i32.mul (local.get $out1) (local.get $stride))))
    (local.set $row2 (i32.add (local.get $bits) (i32.mul (local.get $out2) (local.get $stride))))
    (local.set $row3 (i32.add (local.get $bits) (i32.mul (local.get $out3) (local.get $stride))))
    (local.set $row4 (i32.add (local.get $bits) (i32.mul (local.get $out4) (local.get $stride))))
    (local.set $row5 (i32.add (local.get $bits) (i32.mul (local.get $out5) (local.get $stride))))
    (local.set $row6 (i32.add (local.get $bits) (i32.mul (local.get $out6) (local.get $stride))))
    (local.set $row7 (i32.add (local.get $bits) (i32.mul (local.get $out7) (local.get $stride))))
    (local.set $out0 (i32.add (local.get $out) (i32.shl (local.get $out0) (i32.const 1))))
    (local.set $out1 (i32.add (local.get $out) (i32.shl (local.get $out1) (i32.const 1))))
    (local.set $out2 (i32.add (local.get $out) (i32.shl (local.get $out2) (i32.const 1))))
    (local.set $out3 (i32.add (local.get $out) (i32.shl (local.get $out3) (i32.const 1))))
    (local.set $out4 (i32.add (local.get $out) (i32.shl (local.get $out4) (i32.const 1))))
    (local.set $out5 (i32.add (local.get $out) (i32.shl (local.get $out5) (i32.const 1))))
    (local.set $out6 (i32.add (local.get $out) (i32.shl (local.get $out6) (i32.const 1))))
    (local.set $out7 (i32.add (local.get $out) (i32.shl (local.get $out7) (i32.const 1))))
    (local.set $left (local.get $run))
    (block $done
      (loop $rows
        (br_if $done (i32.eqz (local.get $left)))
        (local.set $left (i32.sub (local.get $left) (i32.const 1)))
        (local.set $sixteen0 (v128.const i64x2 0 0))
        (local.set $sixteen1 (v128.const i64x2 0 0))
        (local.set $sixteen2 (v128.const i64x2 0 0))
        (local.set $sixteen3 (v128.const i64x2 0 0))
        (local.set $sixteen4 (v128.const i64x2 0 0))
        (local.set $sixteen5 (v128.const i64x2 0 0))
        (local.set $sixteen6 (v128.const i64x2 0 0))
        (local.set $sixteen7 (v128.const i64x2 0 0))
        (local.set $column (i32.const 0))
        ;; 256 bytes at a time: sixteen counts of at most 8 fit a byte.
        (loop $parts
          (local.set $stop (call $least (i32.add (local.get $column) (i32.const 256)) (local.get $stride)))
          (local.set $eight0 (v128.const i64x2 0 0))
          (local.set $eight1 (v128.const i64x2 0 0))
          (local.set $eight2 (v128.const i64x2 0 0))
          (local.set $eight3 (v128.const i64x2 0 0))
          (local.set $eight4 (v128.const i64x2 0 0))
          (local.set $eight5 (v128.const i64x2 0 0))
          (local.set $eight6 (v128.const i64x2 0 0))
          (local.set $eight7 (v128.const i64x2 0 0))
          (loop $columns
            (local.set $q (v128.load (i32.add (local.get $query) (local.get $column))))
            (local.set $eight0 (i8x16.add (local.get $eight0) (i8x16.popcnt (v128.xor (local.get $q) (v128.load (i32.add (local.get $row0) (local.get $column)))))))
            (local.set $eight1 (i8x16.add (local.get $eight1) (i8x16.popcnt (v128.xor (local.get $q) (v128.load (i32.add (local.get $row1) (local.get $column)))))))
            (local.set $eight2 (i8x16.add (local.get $eight2) (i8x16.popcnt (v128.xor (local.get $q) (v128.load (i32.add (local.get $row2) (local.get $column)))))))
            (local.set $eight3 (i8x16.add (local.get $eight3) (i8x16.popcnt (v128.xor (local.get $q) (v128.load (i32.add (local.get $row3) (local.get $column)))))))
            (local.set $eight4 (i8x16.add (local.get $eight4) (i8x16.popcnt (v128.xor (local.get $q) (v128.load (i32.add (local.get $row4) (local.get $column)))))))
            (local.set $eight5 (i8x16.add (local.get $eight5) (i8x16.popcnt (v128.xor (local.get $q) (v128.load (i32.add (local.get $row5) (local.get $column)))))))
            (local.set $eight6 (i8x16.add (local.get $eight6) (i8x16.popcnt (v128.xor (local.get $q) (v128.load (i32.add (local.get $row6) (local.get $column)))))))
            (local.set $eight7 (i8x16.add (local.get $eight7) (i8x16.popcnt (v128.xor (local.get $q) (v128.load (i32.add (local.get $row7) (local.get $column)))))))
            (local.set $column (i32.add (local.get $column) (i32.const 16)))
            (br_if $columns (i32.lt_u (local.get $column) (local.get $stop))))
          (local.set $sixteen0 (i16x8.add (local.get $sixteen0) (i16x8.extadd_pairwise_i8x16_u (local.get $eight0))))
          (local.set $sixteen1 (i16x8.add (local.get $sixteen1) (i16x8.extadd_pairwise_i8x16_u (local.get $eight1))))
          (local.set $sixteen2 (i16x8.add (local.get $sixteen2) (i16x8.extadd_pairwise_i8x16_u (local.get $eight2))))
          (local.set $sixteen3 (i16x8.add (local.get $sixteen3) (i16x8.extadd_pairwise_i8x16_u (local.get $eight3))))
          (local.set $sixteen4 (i16x8.add (local.get $sixteen4) (i16x8.extadd_pairwise_i8x16_u (local.get $eight4))))
          (local.set $sixteen5 (i16x8.add (local.get $sixteen5) (i16x8.extadd_pairwise_i8x16_u (local.get $eight5))))
          (local.set $sixteen6 (i16x8.add (local.get $sixteen6) (i16x8.extadd_pairwise_i8x16_u (local.get $eight6))))
          (local.set $sixteen7 (i16x8.add (local.get $sixteen7) (i16x8.extadd_pairwise_i8x16_u (local.get $eight7))))
          (br_if $parts (i32.lt_u (local.get $column) (local.get $stride))))
        (i32.store16 (local.get $out0) (call $sum (i32x4.extadd_pairwise_i16x8_u (local.get $sixteen0))))
        (i32.store16 (local.get $out1) (call $sum (i32x4.extadd_pairwise_i16x8_u (local.get $sixteen1))))
        (i32.store16 (local.get $out2) (call $sum (i32x4.extadd_pairwise_i16x8_u (local.get $sixteen2))))
        (i32.store16 (local.get $out3) (call $sum (i32x4.extadd_pairwise_i16x8_u (local.get $sixteen3))))
        (i32.store16 (local.get $out4) (call $sum (i32x4.extadd_pairwise_i16x8_u (local.get $sixteen4))))
        (i32.store16 (local.get $out5) (call $sum (i32x4.extadd_pairwise_i16x8_u (local.get $sixteen5))))
        (i32.store16 (local.get $out6) (call $sum (i32x4.extadd_pairwise_i16x8_u (local.get $sixteen6))))
        (i32.store16 (local.get $out7) (call $sum (i32x4.extadd_pairwise_i16x8_u (local.get $sixteen7))))
        (local.set $out0 (i32.add (local.get $out0) (i32.const 2)))
        (local.set $out1 (i32.add (local.get $out1) (i32.const 2)))
        (local.set $out2 (i32.add (local.get $out2) (i32.const 2)))
        (local.set $out3 (i32.add (local.get $out3) (i32.const 2)))
        (local.set $out4 (i32.add (local.get $out4) (i32.const 2)))
        (local.set $out5 (i32.add (local.get $out5) (i32.const 2)))
        (local.set $out6 (i32.add (local.get $out6) (i32.const 2)))
        (local.set $out7 (i32.add (local.get $out7) (i32.const 2)))
        (local.set $row0 (i32.add (local.get $row0) (local.get $stride)))
        (local.set $row1 (i32.add (local.get $row1) (local.get $stride)))
        (local.set $row2 (i32.add (local.get $row2) (local.get $stride)))
        (local.set $row3 (i32.add (local.get $row3) (local.get $stride)))
        (local.set $row4 (i32.add (local.get $row4) (local.get $stride)))
        (local.set $row5 (i32.add (local.get $row5) (local.get $stride)))
        (local.set $row6 (i32.add (local.get $row6) (local.get $stride)))
        (local.set $row7 (i32.add (local.get $row7) (local.get $stride)))
        (br $rows))))

  ;; Where run `i` of `length` rows begins. The last ones overlap with those before, where the rows do not come out even.
  (func $runStart (param $i i32) (param $length i32) (param $count i32) (result i32)
    (call $least (i32.mul (local.get $i) (local.get $length)) (i32.sub (local.get $count) (local.get $length))))

  (func $least (param $a i32) (param $b i32) (result i32)
    (select (local.get $a) (local.get $b) (i32.lt_u (local.get $a) (local.get $b))))

  (func $sum (param $four v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $four)) (i32x4.extract_lane 1 (local.get $four)))
      (i32.add (i32x4.extract_lane 2 (local.get $four)) (i32x4.extract_lane 3 (local.get $four)))))

  ;; Distance of the query, of four bits a dimension, to the sign bits of the rows at `places` (u32), as u16 at `out`: Hamming
  ;; distances to the four planes of the query, `stride` bytes each, the first of weight 8, the last of weight 1.
  (func (export "weigh") (param $bits i32) (param $places i32) (param $count i32) (param $stride i32) (param $planes i32) (param $out i32)
    (local $end i32) (local $row i32) (local $column i32) (local $stop i32) (local $at i32) (local $bytes v128) (local $total v128)
    (local $first v128) (local $second v128) (local $third v128) (local $fourth v128)
    (local.set $end (i32.add (local.get $places) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $places) (local.get $end)))
        (local.set $row (i32.add (local.get $bits) (i32.mul (i32.load (local.get $places)) (local.get $stride))))
        (local.set $total (v128.const i64x2 0 0))
        (local.set $column (i32.const 0))
        (loop $parts
          (local.set $stop (call $least (i32.add (local.get $column) (i32.const 256)) (local.get $stride)))
          (local.set $first (v128.const i64x2 0 0))
          (local.set $second (v128.const i64x2 0 0))
          (local.set $third (v128.const i64x2 0 0))
          (local.set $fourth (v128.const i64x2 0 0))
          (loop $columns
            (local.set $bytes (v128.load (i32.add (local.get $row) (local.get $column))))
            (local.set $at (i32.add (local.get $planes) (local.get $column)))
            (local.set $first (i8x16.add (local.get $first) (i8x16.popcnt (v128.xor (local.get $bytes) (v128.load (local.get $at))))))
            (local.set $at (i32.add (local.get $at) (local.get $stride)))
            (local.set $second (i8x16.add (local.get $second) (i8x16.popcnt (v128.xor (local.get $bytes) (v128.load (local.get $at))))))
            (local.set $at (i32.add (local.get $at) (local.get $stride)))
            (local.set $third (i8x16.add (local.get $third) (i8x16.popcnt (v128.xor (local.get $bytes) (v128.load (local.get $at))))))
            (local.set $at (i32.add (local.get $at) (local.get $stride)))
            (local.set $fourth (i8x16.add (local.get $fourth) (i8x16.popcnt (v128.xor (local.get $bytes) (v128.load (local.get $at))))))
            (local.set $column (i32.add (local.get $column) (i32.const 16)))
            (br_if $columns (i32.lt_u (local.get $column) (local.get $stop))))
          ;; At most 15 × 256 in each of the eight.
          (local.set $total (i32x4.add (local.get $total) (i32x4.extadd_pairwise_i16x8_u
            (i16x8.add
              (i16x8.add
                (i16x8.shl (i16x8.extadd_pairwise_i8x16_u (local.get $first)) (i32.const 3))
                (i16x8.shl (i16x8.extadd_pairwise_i8x16_u (local.get $second)) (i32.const 2)))
              (i16x8.add
                (i16x8.shl (i16x8.extadd_pairwise_i8x16_u (local.get $third)) (i32.const 1))
                (i16x8.extadd_pairwise_i8x16_u (local.get $fourth)))))))
          (br_if $parts (i32.lt_u (local.get $column) (local.get $stride))))
        (i32.store16 (local.get $out) (call $sum (local.get $total)))
        (local.set $out (i32.add (local.get $out) (i32.const 2)))
        (local.set $places (i32.add (local.get $places) (i32.const 4)))
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
  ;; Looks at eight at once, and then only at those that are near enough.
  (func (export "collect") (param $distances i32) (param $count i32) (param $limit i32) (param $ties i32) (param $out i32) (result i32)
    (local $i i32) (local $start i32) (local $near i32) (local $place i32) (local $all v128)
    (local.set $start (local.get $out))
    (local.set $all (i16x8.splat (local.get $limit)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $i) (local.get $count)))
        (local.set $near (i16x8.bitmask (i16x8.le_u
          (v128.load (i32.add (local.get $distances) (i32.shl (local.get $i) (i32.const 1)))) (local.get $all))))
        (block $noneLeft
          (loop $each
            (br_if $noneLeft (i32.eqz (local.get $near)))
            (local.set $place (i32.add (local.get $i) (i32.ctz (local.get $near))))
            (local.set $near (i32.and (local.get $near) (i32.sub (local.get $near) (i32.const 1))))
            ;; The last eight may reach behind the end.
            (br_if $done (i32.ge_u (local.get $place) (local.get $count)))
            (if (i32.eq (i32.load16_u (i32.add (local.get $distances) (i32.shl (local.get $place) (i32.const 1)))) (local.get $limit))
              (then
                (br_if $each (i32.le_s (local.get $ties) (i32.const 0)))
                (local.set $ties (i32.sub (local.get $ties) (i32.const 1)))))
            (i32.store (local.get $out) (local.get $place))
            (local.set $out (i32.add (local.get $out) (i32.const 4)))
            (br $each)))
        (local.set $i (i32.add (local.get $i) (i32.const 8)))
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
        (i32.store (local.get $out) (call $sum (local.get $sum)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $rows)))))
