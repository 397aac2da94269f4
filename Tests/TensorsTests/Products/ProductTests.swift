import Kernels
import Tensors
import Testing

@Suite struct ProductTests {
    @Test(
        "products follow NumPy's rules for matrices, vectors and stacks",
        arguments: [
            "matrices", "vector and matrix", "matrix and vector", "two vectors", "a stack and one matrix",
            "one matrix and a stack", "stacks that stretch", "a stack and a vector", "a vector and a stack",
            "an empty inner axis", "no rows",
        ])
    func golden(_ name: String) throws {
        try GoldenCase("matmul of " + name, within: 1e-6) { try matmul($0.float(), $0.float("b")) }.check()
        try GoldenCase("matmul of " + name, within: 1e-6) {
            try matmul($0.float().converted(to: Double.self), $0.float("b").converted()).converted(to: Float.self)
        }.check()
    }

    @Test(
        "integers, contractions and outer products agree with NumPy",
        arguments: [
            GoldenCase("matmul of int8 wraps") { try matmul($0.tensor(as: Int8.self), $0.tensor("b")) },
            GoldenCase("matmul of int32") { try matmul($0.tensor(as: Int32.self), $0.tensor("b")) },
            GoldenCase("tensordot", within: 1e-6) {
                try tensordot($0.float(), $0.float("b"), axes: ([1, 2], [2, 0]))
            },
            GoldenCase("outer") { try outer($0.float(), $0.float("b")) },
        ])
    func others(_ golden: GoldenCase) throws { try golden.check() }

    @Test(
        "einsum agrees with NumPy",
        arguments: ["bqhd,bkhd->bhqk", "iij->j", "iji", "ij,jk,kl->il", "ab,cb->", "ij,ij->ij", "ij,kl->kijl"])
    func einsums(_ formula: String) throws {
        try GoldenCase("einsum " + formula, within: 2e-6) { golden in
            switch golden.inputs.count {
            case 1: try einsum(formula, golden.float())
            case 2: try einsum(formula, golden.float(), golden.float("b"))
            default: try einsum(formula, golden.float(), golden.float("b"), golden.float("c"))
            }
        }.check()
    }

    @Test("views are multiplied as their copies are, bit by bit", arguments: 0..<6) func views(seed: Int) throws {
        var random = SeededNumbers(seed: UInt64(seed) + 40)
        let (m, k, n) = (Int(random.next() % 70) + 1, Int(random.next() % 90) + 1, Int(random.next() % 80) + 1)
        let a = try random.tensor([k, m]).transposed()
        let b = try random.tensor([n, k * 2])[.all, .every(2)].transposed()
        let product = try matmul(a, b)
        #expect(try product == matmul(a.contiguous(), b.contiguous()))
        #expect(try product == matmul(a.flipped(0), b).flipped(0))

        let wide = try matmul(a.converted(to: Double.self), b.converted(to: Double.self))
        expectClose(try product.converted(to: Double.self), wide, within: 1e-5)
        let halves = try matmul(a.converted(to: BFloat16.self), b.converted(to: BFloat16.self))
        expectClose(try halves.converted(to: Double.self), wide, within: 0.03)
    }

    @Test("a row of a stack has the bits that it has alone") func rows() throws {
        var random = SeededNumbers(seed: 5)
        let a = try random.tensor([3, 5, 33])
        let b = try random.tensor([33, 20])
        let together = try matmul(a, b)
        for i in 0..<3 {
            #expect(try together[i] == matmul(a[i], b))
            #expect(try together[i, 2] == matmul(a[i, 2], b))
        }
    }

    @Test("the path of a product can be seen and forced", arguments: MatrixProductPath.allCases)
    func paths(path: MatrixProductPath) throws {
        var random = SeededNumbers(seed: 11)
        let (a, b) = (try random.tensor([20, 30]), try random.tensor([30, 40]))
        #expect(try matmulPath(a, b) != .automatic)
        #expect(try matmulPath(a.converted(to: Int8.self), b.converted(to: Int8.self)) == nil)
        do {
            let forced = try matmul(a, b, path: path)
            expectClose(
                try forced.converted(), try matmul(a.converted(to: Double.self), b.converted()), within: 1e-5)
        } catch {
            #expect(path != .portable && path != .automatic, "these run everywhere")
            #expect(error.sentence.hasPrefix("matmul: "))
        }
    }
}
