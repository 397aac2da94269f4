import Kernels
import Tensors
import Testing

@Suite struct TensorTests {
    @Test("attention is four lines") func example() throws {
        let q = try Tensor<Float>(rows: [[1, 0], [0, 1]])  // [query, width]
        let k = try Tensor<Float>(rows: [[1, 2], [3, 4], [5, 6]])  // [key, width]
        let v = try Tensor<Float>(rows: [[1, 0], [0, 1], [1, 1]])  // [key, width]

        let scores = try matmul(q, k.transposed()) * 0.5  // [query, key]
        let causal = try Tensor<Float>.ones(2, 3).lowerTriangle() .== 0
        let pattern = try softmax(scores.filled(where: causal, with: -.infinity), axis: -1)
        let mixed = try matmul(pattern, v)  // [query, width]

        #expect(scores.elements == [0.5, 1.5, 2.5, 1, 2, 3])
        #expect(mixed.shape == [2, 2])
        #expect(try mixed[0] == v[0])
        #expect(try pattern.sum(-1) == Tensor([1, 1]))
    }

    @Test("a tensor is made of elements and a shape") func making() throws {
        let matrix = try Tensor<Int32>([1, 2, 3, 4, 5, 6], shape: [2, 3])
        #expect(try matrix == Tensor(rows: [[1, 2, 3], [4, 5, 6]]))
        #expect(matrix.strides == [3, 1] && matrix.count == 6 && matrix.rank == 2 && matrix.isContiguous)
        #expect(try matrix.element(at: [-1, 1]) == 5)
        #expect(try Tensor<Float>(2.5).scalar == 2.5)
        #expect(try Tensor(repeating: true, shape: [2, 0]).elements.isEmpty)
    }

    @Test("equality is by shape and elements, not by layout") func equality() throws {
        let matrix = try Tensor<Float>.arange(to: 12).reshaped([3, 4])
        #expect(try matrix.transposed() == matrix.transposed().contiguous())
        #expect(try matrix != matrix.reshaped([4, 3]))
        #expect(try Tensor<Float>([.nan]) != Tensor([.nan]))
    }

    @Test("a tensor that is changed leaves those that shared its memory as they were") func copyOnWrite() throws {
        let original = try Tensor<Float>([1, 2, 3, 4], shape: [2, 2])
        var changed = original
        let view = original.transposed()
        #expect(view.storage === original.storage)
        try changed.set(9, at: [0, 1])
        #expect(original.elements == [1, 2, 3, 4] && view.elements == [1, 3, 2, 4])
        #expect(changed.elements == [1, 9, 3, 4])

        let memory = changed.storage
        #expect(changed.storage === memory)
        var alone = try Tensor<Float>([1, 2, 3])
        let before = alone.base
        try alone += 1
        try alone.set(7, at: [-1])
        try alone.withMutableElements { $0[0] = 5 }
        #expect(alone.elements == [5, 3, 7])
        #expect(alone.base == before, "an unshared tensor is changed in place")

        var itself = try Tensor<Float>([1, 2])
        try itself += itself
        #expect(itself.elements == [2, 4])
        var stretched = try Tensor<Float>([1]).broadcast(to: [3])
        try stretched.set(2, at: [1])
        #expect(stretched.elements == [1, 2, 1], "elements that share a place are parted first")
    }

    @Test("mapped memory is read in place and never written to") func mapped() throws {
        final class File: Sendable {}
        let bytes = UnsafeMutablePointer<Float>.allocate(capacity: 4)
        defer { bytes.deallocate() }
        for i in 0..<4 { bytes[i] = Float(i) }
        let storage = TensorStorage(mapped: UnsafePointer(bytes), count: 4, owner: File())
        var tensor = try Tensor(storage: storage, shape: [2, 2], strides: [1, 2], offset: 0)
        #expect(storage.isMapped && tensor.elements == [0, 2, 1, 3])
        try tensor *= 10
        #expect(tensor.elements == [0, 20, 10, 30] && bytes[1] == 1)
        #expect(!tensor.storage.isMapped)
    }

    @Test(
        "a view never leaves its memory",
        arguments: [
            ([4], [1], 1), ([2, 2], [1, 3], 0), ([2], [-1], 0), ([3], [.max], 0), ([2], [1, 1], 0), ([5], [0], 4),
        ] as [([Int], [Int], Int)])
    func views(shape: [Int], strides: [Int], offset: Int) throws {
        let storage = try TensorStorage<Float>(count: 4)
        #expect(throws: TensorError.self) {
            try Tensor(storage: storage, shape: shape, strides: strides, offset: offset)
        }
    }

    @Test("a tensor of any type can be asked for its type and converted") func anyTensor() throws {
        let any = try AnyTensor(Tensor<Int8>([1, -2, 3]))
        #expect(any.dataType == .int8 && any.shape == [3])
        #expect(any.as(Float.self) == nil && any.as(Int8.self)?.elements == [1, -2, 3])
        #expect(try any.converted(to: BFloat16.self).elements == [1, -2, 3])
        #expect(DataType.allCases.map(\.byteCount) == [4, 8, 2, 2, 1, 4, 1])
    }
}
