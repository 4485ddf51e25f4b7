;; Dot products of one query of 16-bit integers with many rows of 8-bit integers, eight lanes at a time and four sums side
;; by side. Whole numbers: the products are exact. The query is scaled so that no sum exceeds 32 bits.
(module
  (import "whetstone" "memory" (memory 1 65536))
  ;; query, row, product: addresses, in bytes; stride: bytes per row, a multiple of 32; products are 32-bit integers
  (func (export "dotProducts")
    (param $query i32) (param $row i32) (param $count i32) (param $stride i32) (param $product i32)
    (local $at i32) (local $end i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (block $done
      (loop $rows
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $at (local.get $query))
        (local.set $end (i32.add (local.get $row) (local.get $stride)))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $c (v128.const i32x4 0 0 0 0))
        (local.set $d (v128.const i32x4 0 0 0 0))
        (loop $lanes
          ;; load8x8_s widens eight bytes to 16 bits, dot_i16x8_s multiplies and adds neighbours
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (v128.load (local.get $at)) (v128.load8x8_s (local.get $row)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $at)) (v128.load8x8_s offset=8 (local.get $row)))))
          (local.set $c (i32x4.add (local.get $c)
            (i32x4.dot_i16x8_s (v128.load offset=32 (local.get $at)) (v128.load8x8_s offset=16 (local.get $row)))))
          (local.set $d (i32x4.add (local.get $d)
            (i32x4.dot_i16x8_s (v128.load offset=48 (local.get $at)) (v128.load8x8_s offset=24 (local.get $row)))))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br_if $lanes (i32.lt_u
            (local.tee $row (i32.add (local.get $row) (i32.const 32)))
            (local.get $end))))
        (local.set $a (i32x4.add
          (i32x4.add (local.get $a) (local.get $b))
          (i32x4.add (local.get $c) (local.get $d))))
        (i32.store (local.get $product)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
            (i32.add (i32x4.extract_lane 2 (local.get $a)) (i32x4.extract_lane 3 (local.get $a)))))
        (local.set $product (i32.add (local.get $product) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $rows)))))
