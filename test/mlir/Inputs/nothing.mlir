module {
  func.func private @other(memref<?xf32>, index)
  func.func @calls(%a: memref<?xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      func.call @other(%a, %i) : (memref<?xf32>, index) -> ()
    } loc(fused["a.py":1:1, "b.py":2:2])
    return
  }
}
