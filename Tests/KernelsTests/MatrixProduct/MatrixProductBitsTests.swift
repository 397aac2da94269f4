import Kernels
import Testing

/// The promise that makes runs repeatable: the bits of a row depend on that row and on B alone.
@Suite("the bits of a matrix product")
struct MatrixProductBitsTests {
    static let shapes = [(64, 200, 1000), (64, 64, 384), (33, 1100, 70), (7, 13, 2000)]

    @Test("are the same for a row alone and among others, packed or not", arguments: MatrixProductPath.own)
    func rowAlone(path: MatrixProductPath) throws {
        try skipUnlessAvailable(path)
        for (rows, columns, inner) in Self.shapes {
            let a = try Matrix<Float>(random: rows, inner, seed: 1),
                b = try Matrix<Float>(random: inner, columns, seed: 2)
            let packed = try PackedMatrix(b.view, path: path)
            let together = try Matrix<Float>(random: rows, columns, seed: 3)
            try MatrixProduct.multiply(a.view, b.view, into: together.mutableView, path: path)
            let some = try Matrix<Float>(random: rows, columns, seed: 4)
            for count in [1, 3, 8, 32, rows] where count <= rows {
                let first = rows - count
                let part = MatrixView(a.view.pointer + first * inner, rows: count, columns: inner)
                let into = MutableMatrixView(some.mutableView.pointer, rows: count, columns: columns)
                let expected = together.elements[(first * columns)...].map(\.bitPattern)
                try MatrixProduct.multiply(part, b.view, into: into, path: path)
                #expect(some.elements.prefix(count * columns).map(\.bitPattern) == expected, "\(count) of \(rows)")
                into.pointer.update(repeating: .nan, count: count * columns)
                try MatrixProduct.multiply(part, packed, into: into)
                #expect(some.elements.prefix(count * columns).map(\.bitPattern) == expected, "\(count) packed")
            }
        }
    }

    @Test("are the same for a row alone and among others in float64", arguments: MatrixProductPath.own)
    func rowAloneInDouble(path: MatrixProductPath) throws {
        try skipUnlessAvailable(path)
        for (rows, columns, inner) in Self.shapes {
            let a = try Matrix<Double>(random: rows, inner, seed: 1)
            let b = try Matrix<Double>(random: inner, columns, seed: 2)
            let together = try Matrix<Double>(random: rows, columns, seed: 3)
            let alone = try Matrix<Double>(random: 1, columns, seed: 4)
            let fromPacked = try Matrix<Double>(random: 1, columns, seed: 5)
            try MatrixProduct.multiply(a.view, b.view, into: together.mutableView, path: path)
            let row = MatrixView(a.view.pointer + (rows - 1) * inner, rows: 1, columns: inner)
            try MatrixProduct.multiply(row, b.view, into: alone.mutableView, path: path)
            try MatrixProduct.multiply(row, PackedMatrix(b.view, path: path), into: fromPacked.mutableView)
            let expected = together.elements.suffix(columns).map(\.bitPattern)
            #expect(alone.elements.map(\.bitPattern) == expected)
            #expect(fromPacked.elements.map(\.bitPattern) == expected)
        }
    }

    @Test("are the same on any number of threads", arguments: MatrixProductPath.own)
    func threads(path: MatrixProductPath) throws {
        try skipUnlessAvailable(path)
        let a = try Matrix<Float>(random: 150, 500, seed: 1), b = try Matrix<Float>(random: 500, 390, seed: 2)
        let packed = try PackedMatrix(b.view, path: path)
        let results = try [1, 2, 3, 7].flatMap { threads in
            let pool = ThreadPool(threads: threads)
            let plain = try Matrix<Float>(random: 150, 390, seed: 3),
                other = try Matrix<Float>(random: 150, 390, seed: 4)
            try MatrixProduct.multiply(a.view, b.view, into: plain.mutableView, path: path, pool: pool)
            try MatrixProduct.multiply(a.view, packed, into: other.mutableView, pool: pool)
            return [plain.elements.map(\.bitPattern), other.elements.map(\.bitPattern)]
        }
        #expect(Set(results).count == 1)
    }

    @Test("are the same for a transpose and for its copy", arguments: MatrixProductPath.own)
    func transposes(path: MatrixProductPath) throws {
        try skipUnlessAvailable(path)
        let a = try Matrix<Float>(random: 45, 410, seed: 1), b = try Matrix<Float>(random: 410, 77, seed: 2)
        let copyOfA = try Matrix<Float>(random: 410, 45, seed: 3), copyOfB = try Matrix<Float>(random: 77, 410, seed: 4)
        for p in 0..<410 {
            for i in 0..<45 { copyOfA[p, i] = a[i, p] }
            for j in 0..<77 { copyOfB[j, p] = b[p, j] }
        }
        let plain = try Matrix<Float>(random: 45, 77, seed: 5), transposed = try Matrix<Float>(random: 45, 77, seed: 6)
        try MatrixProduct.multiply(a.view, b.view, into: plain.mutableView, path: path)
        try MatrixProduct.multiply(
            copyOfA.view.transposed, copyOfB.view.transposed, into: transposed.mutableView, path: path)
        #expect(plain.elements.map(\.bitPattern) == transposed.elements.map(\.bitPattern))
    }

    @Test("are the same for AVX2 and AVX-512")
    func instructionSets() throws {
        try skipUnlessAvailable(.avx2)
        try skipUnlessAvailable(.avx512)
        let a = try Matrix<Float>(random: 50, 900, seed: 1), b = try Matrix<Float>(random: 900, 111, seed: 2)
        let narrow = try Matrix<Float>(random: 50, 111, seed: 3), wide = try Matrix<Float>(random: 50, 111, seed: 4)
        try MatrixProduct.multiply(a.view, b.view, into: narrow.mutableView, path: .avx2)
        try MatrixProduct.multiply(a.view, b.view, into: wide.mutableView, path: .avx512)
        #expect(narrow.elements.map(\.bitPattern) == wide.elements.map(\.bitPattern))
    }
}
