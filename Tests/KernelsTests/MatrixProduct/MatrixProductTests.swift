import Kernels
import Testing

@Suite("matrix products")
struct MatrixProductTests {
    @Test("two by two, by hand", arguments: MatrixProductPath.allCases)
    func byHand(path: MatrixProductPath) throws {
        try skipUnlessAvailable(path)
        let a = try Matrix<Float>([[1, 2], [3, 4]]), b = try Matrix<Float>([[5, 6], [7, 8]])
        let c = try Matrix<Float>([[1, 1], [1, 1]])
        try MatrixProduct.multiply(a.view, b.view, into: c.mutableView, path: path)
        let plain: [Float] = [19, 22, 43, 50]
        #expect(c.elements == plain)
        try MatrixProduct.multiply(a.view, b.view.transposed, into: c.mutableView, accumulate: true, path: path)
        let sum: [Float] = [19 + 17, 22 + 23, 43 + 39, 50 + 53]
        #expect(c.elements == sum)
    }

    @Test(
        "every path agrees with the twin, for odd sizes, transposes, gaps and sums",
        arguments: MatrixProductPath.allCases)
    func agreement(path: MatrixProductPath) throws {
        try skipUnlessAvailable(path)
        for (number, form) in ProductForm.all.enumerated() {
            try expectAgreement(of: Float.self, form, path, seed: UInt64(number)) { a, b, c, accumulate in
                try MatrixProduct.multiply(a, b, into: c, accumulate: accumulate, path: path)
            }
            try expectAgreement(of: Double.self, form, path, seed: UInt64(number)) { a, b, c, accumulate in
                try MatrixProduct.multiply(a, b, into: c, accumulate: accumulate, path: path)
            }
        }
    }

    @Test("packed weights agree with the twin", arguments: MatrixProductPath.own)
    func packed(path: MatrixProductPath) throws {
        try skipUnlessAvailable(path)
        for (number, form) in ProductForm.all.enumerated() {
            try expectAgreement(of: Float.self, form, path, seed: UInt64(number)) { a, b, c, accumulate in
                try MatrixProduct.multiply(a, PackedMatrix(b, path: path), into: c, accumulate: accumulate)
            }
            try expectAgreement(of: Double.self, form, path, seed: UInt64(number)) { a, b, c, accumulate in
                try MatrixProduct.multiply(a, PackedMatrix(b, path: path), into: c, accumulate: accumulate)
            }
        }
    }

    @Test("sizes of zero are products too", arguments: MatrixProductPath.allCases)
    func empty(path: MatrixProductPath) throws {
        try skipUnlessAvailable(path)
        let some = try Matrix<Float>([[1, 2, 3], [4, 5, 6]])
        let nothing = MatrixView<Float>(some.view.pointer, rows: 2, columns: 0)
        let none = MatrixView<Float>(some.view.pointer, rows: 0, columns: 3)
        let c = try Matrix<Float>([[7, 8, 9], [7, 8, 9]])
        try MatrixProduct.multiply(nothing, none, into: c.mutableView, accumulate: true, path: path)
        #expect(c.elements == [7, 8, 9, 7, 8, 9])
        try MatrixProduct.multiply(none, some.view.transposed, into: emptyRows(of: c, columns: 2), path: path)
        #expect(c.elements == [7, 8, 9, 7, 8, 9])
        try MatrixProduct.multiply(nothing, none, into: c.mutableView, path: path)
        #expect(c.elements == [0, 0, 0, 0, 0, 0])
        guard path != .openBLAS else { return }
        c.mutableView.pointer.update(repeating: 5, count: 6)
        try MatrixProduct.multiply(nothing, PackedMatrix(none, path: path), into: c.mutableView)
        #expect(c.elements == [0, 0, 0, 0, 0, 0])
    }

    private func emptyRows(of matrix: Matrix<Float>, columns: Int) -> MutableMatrixView<Float> {
        MutableMatrixView(matrix.mutableView.pointer, rows: 0, columns: columns)
    }

    @Test("NaN and infinity reach their row and column, and no other", arguments: MatrixProductPath.own)
    func specialValues(path: MatrixProductPath) throws {
        try skipUnlessAvailable(path)
        let a = try Matrix<Float>(random: 13, 401, seed: 1), b = try Matrix<Float>(random: 401, 70, seed: 2)
        let c = try Matrix<Float>(random: 13, 70, seed: 3)
        a[7, 400] = .infinity
        b[399, 69] = .nan
        try MatrixProduct.multiply(a.view, b.view, into: c.mutableView, path: path)
        for row in 0..<13 {
            for column in 0..<70 {
                let value = c[row, column]
                #expect(value.isNaN == (column == 69), "C[\(row), \(column)]")
                #expect(value.isFinite == (row != 7 && column != 69), "C[\(row), \(column)]")
            }
        }
    }

    @Test("shapes that do not fit are named")
    func shapes() throws {
        let a = try Matrix<Float>(random: 2, 3, seed: 1), b = try Matrix<Float>(random: 4, 5, seed: 2)
        let c = try Matrix<Float>(random: 2, 5, seed: 3)
        let error = #expect(throws: KernelError.self) {
            try MatrixProduct.multiply(a.view, b.view, into: c.mutableView)
        }
        #expect(error?.sentence == "matrix product: [2, 3] by [4, 5] does not give [2, 5].")
        let packed = try PackedMatrix(b.view)
        #expect(throws: try #require(error)) { try MatrixProduct.multiply(a.view, packed, into: c.mutableView) }
    }

    @Test("a path that this machine lacks says so")
    func unavailable() throws {
        let a = try Matrix<Float>(random: 2, 2, seed: 1), c = try Matrix<Float>(random: 2, 2, seed: 2)
        for path in MatrixProductPath.allCases {
            if let reason = path.unavailable {
                let error = #expect(throws: KernelError.self) {
                    try MatrixProduct.multiply(a.view, a.view, into: c.mutableView, path: path)
                }
                #expect(error?.sentence == "matrix product/\(path.rawValue) cannot run on this machine: \(reason).")
            }
        }
        #expect(MatrixProductPath.portable.unavailable == nil)
        #expect(throws: KernelError.self) { try PackedMatrix(a.view, path: .openBLAS) }
    }

    @Test("the automatic path is the widest, whatever the rows")
    func automatic() {
        let chosen = Set([1, 8, 64, 4096].map { MatrixProduct.chosenPath(rows: $0, columns: 512, inner: 64) })
        #expect(chosen.count == 1)
        #expect(chosen.allSatisfy { $0 != .automatic && $0.unavailable == nil })
        if ProcessorFeatures.present.contains(.avx512) { #expect(chosen == [.avx512]) }
    }

    @Test("packing what no memory holds is an error with its size")
    func noMemory() throws {
        let one = try Matrix<Float>(random: 1, 1, seed: 1)
        let huge = MatrixView(one.view.pointer, rows: 1 << 24, columns: 1 << 24)
        #expect(throws: KernelError.self) { try PackedMatrix(huge) }
        let absurd = MatrixView(one.view.pointer, rows: 1 << 40, columns: 1 << 40)
        #expect(throws: KernelError.memory(bytes: nil)) { try PackedMatrix(absurd) }
    }
}
