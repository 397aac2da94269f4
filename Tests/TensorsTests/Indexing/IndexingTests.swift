import Tensors
import Testing

@Suite struct IndexingTests {
    @Test(
        "indexing is NumPy's, bit by bit",
        arguments: [
            GoldenCase("selecting rows") { try $0.float().selecting($0.tensor("indices")) },
            GoldenCase("selecting columns") { try $0.float().selecting($0.tensor("indices"), axis: 1) },
            GoldenCase("gathered") { try $0.float().gathered($0.tensor("indices"), along: 1) },
            GoldenCase("scatter") {
                var target = try $0.float()
                try target.scatter(Tensor(9), at: $0.tensor("indices"), along: 1)
                return target
            },
            GoldenCase("adding slices", within: 2e-7) {
                var target = try $0.float()
                try target.addSlices($0.float("values"), at: $0.tensor("indices"))
                return target
            },
            GoldenCase("concatenate") { try concatenate([$0.float(), $0.float()[..<2] * 2]) },
            GoldenCase("stack") { try stack([$0.float(), $0.float() * 2], axis: 1) },
            GoldenCase("padded") { try $0.float().padded([(1, 0), (2, 1)], with: 7) },
            GoldenCase("repeated") { try $0.float().repeated(2, axis: 1) },
            GoldenCase("tiled") { try $0.float().tiled([2, 3]) },
            GoldenCase("rolled") { try $0.float().rolled(10, axis: 0) },
            GoldenCase("rolled back") { try $0.float().rolled(-1, axis: -1) },
            GoldenCase("lower triangle -2") { try $0.float().lowerTriangle(-2) },
            GoldenCase("lower triangle 0") { try $0.float().lowerTriangle() },
            GoldenCase("lower triangle 1") { try $0.float().lowerTriangle(1) },
            GoldenCase("upper triangle -2") { try $0.float().upperTriangle(-2) },
            GoldenCase("upper triangle 0") { try $0.float().upperTriangle() },
            GoldenCase("upper triangle 1") { try $0.float().upperTriangle(1) },
            GoldenCase("arange") { _ in try Tensor<Float>.arange(0.5, to: 3, step: 0.25) },
            GoldenCase("linspace") { _ in try Tensor<Float>.linspace(-1, 1, 7) },
            GoldenCase("eye") { _ in try Tensor<Float>.eye(3, 4, diagonal: 1) },
        ])
    func golden(_ golden: GoldenCase) throws { try golden.check() }

    @Test("parts put together are the whole", arguments: [0, 1, 2]) func split(axis: Int) throws {
        let whole = try Tensor<Int32>.arange(to: 120).reshaped([4, 5, 6]).permuted([2, 1, 0])
        let parts = try whole.split([1, 0, whole.shape[axis] - 1], axis: axis)
        #expect(parts.allSatisfy { $0.storage === whole.storage })
        #expect(try concatenate(parts, axis: axis) == whole)
        let equal = try whole.split(into: whole.shape[axis], axis: axis)
        #expect(try stack(equal.map { try $0.squeezed(axis) }, axis: axis) == whole)
    }

    @Test("of several values for one place the last stays, and sums are in order") func duplicates() throws {
        let places = try Tensor<Int32>([1, 1, 1, 0])
        var last = try Tensor<Float>([0, 0])
        try last.scatter(Tensor([1, 2, 3, 4]), at: places, along: 0)
        #expect(last.elements == [4, 3])
        var sum = try Tensor<Float>([0, 0])
        try sum.scatterAdd(Tensor([1, 1e8, -1e8, 4]), at: places, along: 0)
        #expect(sum.elements == [4, 0], "1 + 1e8 - 1e8 in this order is 0 in float32")
    }

    @Test("gathering from a view is gathering from its copy") func views() throws {
        let x = try Tensor<Float>.arange(to: 60).reshaped([3, 4, 5]).transposed(0, 2)  // [5, 4, 3]
        let places = try Tensor<Int32>([2, 0, -1, 1], shape: [1, 4, 1])
        #expect(try x.gathered(places, along: 2) == x.contiguous().gathered(places, along: 2))
        #expect(try x.gathered(places, along: 2).element(at: [3, 1, 0]) == x.element(at: [3, 1, 0]))
        #expect(try x.selecting([3, -1], axis: 1)[.all, 1] == x[.all, 3])
        #expect(try x.selecting(Tensor<Int32>([], shape: [0, 2])).shape == [0, 2, 4, 3])
    }

    @Test("masks fill and classes become vectors") func masks() throws {
        let x = try Tensor<Float>(rows: [[1, -2], [-3, 4]])
        #expect(try x.filled(where: x .< 0, with: 0).elements == [1, 0, 0, 4])
        #expect(try x.filled(where: Tensor([true, false]), with: 9).elements == [9, -2, 9, 4])
        #expect(try oneHot(Tensor<Int32>([2, 0]), 3).elements == [0, 0, 1, 1, 0, 0])
        #expect(try x.clamped(-1, 2).elements == [1, -1, -1, 2])
    }

    @Test("embedding and its gradient meet", arguments: 0..<3) func embedding(seed: Int) throws {
        var random = SeededNumbers(seed: UInt64(seed))
        let tokens = try Tensor<Int32>((0..<50).map { _ in Int32(random.next() % 9) })
        let gradient = try random.tensor([50, 7])
        var table = try Tensor<Float>.zeros(9, 7)
        try table.addSlices(gradient, at: tokens)
        // The twin: a product with one-hot vectors.
        let twin = try matmul(oneHot(tokens, 9).transposed(), gradient)
        expectClose(try table.converted(), try twin.converted(), within: 1e-6)
    }
}
