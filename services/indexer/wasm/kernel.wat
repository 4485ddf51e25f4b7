;; What a search needs: products of whole numbers with every row, products in double precision with the few that may be among
;; the best, and the whole numbers of a row.
(module
  (import "whetstone" "memory" (memory 1 65536))

  ;; Dot products of one query of 16-bit integers with many rows of 8-bit integers, eight lanes at a time and four sums side
  ;; by side. Whole numbers: the products are exact. The query is scaled so that no sum exceeds 32 bits.
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
        (br $rows))))

  ;; Dot product of two vectors of floats, divided by the length of the second; 0 if that has none.
  ;; a, b: addresses, in bytes; size: bytes of a vector, a multiple of 16
  (func (export "project") (param $a i32) (param $b i32) (param $size i32) (result f64)
    (local $end i32) (local $x v128) (local $y v128) (local $low v128) (local $high v128)
    (local $dot v128) (local $dots v128) (local $square v128) (local $squares v128) (local $length f64)
    (local.set $end (i32.add (local.get $a) (local.get $size)))
    (loop $lanes
      (local.set $x (v128.load (local.get $a)))
      (local.set $y (v128.load (local.get $b)))
      (local.set $low (f64x2.promote_low_f32x4 (local.get $y)))
      (local.set $high (f64x2.promote_low_f32x4
        (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $y) (local.get $y))))
      (local.set $dot (f64x2.add (local.get $dot)
        (f64x2.mul (f64x2.promote_low_f32x4 (local.get $x)) (local.get $low))))
      (local.set $dots (f64x2.add (local.get $dots)
        (f64x2.mul
          (f64x2.promote_low_f32x4
            (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $x) (local.get $x)))
          (local.get $high))))
      (local.set $square (f64x2.add (local.get $square) (f64x2.mul (local.get $low) (local.get $low))))
      (local.set $squares (f64x2.add (local.get $squares) (f64x2.mul (local.get $high) (local.get $high))))
      (local.set $b (i32.add (local.get $b) (i32.const 16)))
      (br_if $lanes (i32.lt_u
        (local.tee $a (i32.add (local.get $a) (i32.const 16)))
        (local.get $end))))
    (local.set $dot (f64x2.add (local.get $dot) (local.get $dots)))
    (local.set $square (f64x2.add (local.get $square) (local.get $squares)))
    (local.set $length (f64.sqrt
      (f64.add (f64x2.extract_lane 0 (local.get $square)) (f64x2.extract_lane 1 (local.get $square)))))
    (if (result f64) (f64.eq (local.get $length) (f64.const 0))
      (then (f64.const 0))
      (else (f64.div
        (f64.add (f64x2.extract_lane 0 (local.get $dot)) (f64x2.extract_lane 1 (local.get $dot)))
        (local.get $length)))))

  ;; Writes a row of floats as 8-bit integers, in steps of its largest value / 127. Returns the step divided by the length of
  ;; the row; 0 if that has none, infinity if its values are too small to be divided by. row, into: addresses, in bytes; size: bytes of the row, a multiple of 64
  (func (export "quantise") (param $row i32) (param $into i32) (param $size i32) (result f64)
    (local $at i32) (local $end i32) (local $x v128) (local $low v128) (local $high v128)
    (local $most v128) (local $square v128) (local $squares v128) (local $largest f32)
    (local.set $end (i32.add (local.get $row) (local.get $size)))
    (local.set $at (local.get $row))
    (loop $lanes
      (local.set $x (v128.load (local.get $at)))
      (local.set $most (f32x4.max (local.get $most) (f32x4.abs (local.get $x))))
      (local.set $low (f64x2.promote_low_f32x4 (local.get $x)))
      (local.set $high (f64x2.promote_low_f32x4
        (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $x) (local.get $x))))
      (local.set $square (f64x2.add (local.get $square) (f64x2.mul (local.get $low) (local.get $low))))
      (local.set $squares (f64x2.add (local.get $squares) (f64x2.mul (local.get $high) (local.get $high))))
      (br_if $lanes (i32.lt_u
        (local.tee $at (i32.add (local.get $at) (i32.const 16)))
        (local.get $end))))
    (local.set $largest (f32.max
      (f32.max (f32x4.extract_lane 0 (local.get $most)) (f32x4.extract_lane 1 (local.get $most)))
      (f32.max (f32x4.extract_lane 2 (local.get $most)) (f32x4.extract_lane 3 (local.get $most)))))
    (if (f32.lt (local.get $largest) (f32.const 1e-36))
      (then
        (memory.fill (local.get $into) (i32.const 0) (i32.shr_u (local.get $size) (i32.const 2)))
        (return (select (f64.const 0) (f64.const inf) (f32.eq (local.get $largest) (f32.const 0))))))
    (local.set $most (f32x4.splat (f32.div (f32.const 127) (local.get $largest))))
    (local.set $at (local.get $row))
    (loop $lanes
      (v128.store (local.get $into) (i8x16.narrow_i16x8_s
        (i16x8.narrow_i32x4_s
          (i32x4.trunc_sat_f32x4_s (f32x4.nearest (f32x4.mul (v128.load (local.get $at)) (local.get $most))))
          (i32x4.trunc_sat_f32x4_s (f32x4.nearest (f32x4.mul (v128.load offset=16 (local.get $at)) (local.get $most)))))
        (i16x8.narrow_i32x4_s
          (i32x4.trunc_sat_f32x4_s (f32x4.nearest (f32x4.mul (v128.load offset=32 (local.get $at)) (local.get $most))))
          (i32x4.trunc_sat_f32x4_s (f32x4.nearest (f32x4.mul (v128.load offset=48 (local.get $at)) (local.get $most)))))))
      (local.set $into (i32.add (local.get $into) (i32.const 16)))
      (br_if $lanes (i32.lt_u
        (local.tee $at (i32.add (local.get $at) (i32.const 64)))
        (local.get $end))))
    (local.set $square (f64x2.add (local.get $square) (local.get $squares)))
    (f64.div
      (f64.div (f64.promote_f32 (local.get $largest)) (f64.const 127))
      (f64.sqrt (f64.add (f64x2.extract_lane 0 (local.get $square)) (f64x2.extract_lane 1 (local.get $square)))))))
