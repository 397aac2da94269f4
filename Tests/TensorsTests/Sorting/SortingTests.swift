import Tensors
import Testing

@Suite("Sorting")
struct SortingTests {
    /// Seeded values with many ties.
    private func values(_ count: Int, seed: UInt64, distinct: Int) throws -> Tensor<Int32> {
        try Tensor<Int32>.integers([count], in: -distinct / 2..<(distinct + 1) / 2, seed: seed)
    }

    /// Places in the order of the elements, by the standard library's sort, equal ones by place.
    private func naiveOrder(_ values: [Double], descending: Bool) -> [Int32] {
        values.indices.sorted {
            values[$0] == values[$1] ? $0 < $1 : (values[$0] < values[$1]) != descending
        }.map(Int32.init)
    }

    @Test("every kind is sorted as its numbers are, stable in both directions", arguments: [1, 2, 47, 48, 49, 1_000])
    func naiveTwin(count: Int) throws {
        let integers = try values(count, seed: UInt64(count), distinct: 200)
        func check<Scalar: TensorScalar>(_: Scalar.Type) throws {
            let tensor = try integers.converted(to: Scalar.self)
            let numbers = try tensor.converted(to: Double.self).elements
            for descending in [false, true] {
                let order = naiveOrder(numbers, descending: descending)
                #expect(try tensor.argsort(descending: descending).elements == order)
                #expect(
                    try tensor.sorted(descending: descending).converted(to: Double.self).elements
                        == order.map { numbers[Int($0)] })
            }
        }
        try check(Float.self)
        try check(Double.self)
        try check(Float16.self)
        try check(BFloat16.self)
        try check(Int8.self)
        try check(Int32.self)
        try check(Bool.self)
    }

    @Test("extreme numbers are in order")
    func extremes() throws {
        let floats: [Float] = [
            .nan, .infinity, 1, -.nan, .leastNonzeroMagnitude, -0.0, 0, -1, -.infinity, .greatestFiniteMagnitude,
        ]
        let order = try Tensor<Float>(floats).argsort().elements
        #expect(order == [8, 7, 5, 6, 4, 2, 9, 1, 0, 3])
        let integers: [Int32] = [.max, 0, .min, -1]
        #expect(try Tensor<Int32>(integers).sorted().elements == [.min, -1, 0, .max])
        let half: [Float16] = [.infinity, -.infinity, .leastNonzeroMagnitude, 0]
        #expect(try Tensor<Float16>(half).argsort().elements == [1, 3, 2, 0])
    }

    @Test("empty tensors are sorted; a number has no axis to sort along")
    func degenerate() throws {
        #expect(try Tensor<Float>([]).sorted().elements == [])
        #expect(try Tensor<Float>([], shape: [3, 0]).argsort(axis: 0).shape == [3, 0])
        #expect(try Tensor<Float>([]).unique().values.elements == [])
        #expect(throws: TensorError.self) { _ = try Tensor<Float>(1).sorted() }
        #expect(throws: TensorError.self) { _ = try Tensor<Float>([]).median() }
        #expect(throws: TensorError.self) { _ = try Tensor<Float>([1]).quantile(1.5) }
        #expect(throws: TensorError.self) { _ = try Tensor<Float>(rows: [[1]]).searchSorted(Tensor<Float>([1])) }
    }

    @Test("the median of infinities is one, and of NaN is NaN")
    func medians() throws {
        #expect(try Tensor<Float>([1, .infinity, .infinity]).median().scalar == .infinity)
        #expect(try Tensor<Float>([.infinity, .infinity]).quantile(0.3).scalar == .infinity)
        #expect(try Tensor<Float>([1, .nan, 2]).median().scalar?.isNaN == true)
        #expect(try Tensor<Float16>([3, 1, 2, 4]).median().scalar == 2.5)
    }
}

@Suite("The largest elements")
struct TopKTests {
    /// The first k of a full sort.
    private func check<Scalar: TensorScalar>(_ tensor: Tensor<Scalar>, _ k: Int) throws {
        for largest in [true, false] {
            let order = try tensor.argsort(descending: largest).elements.prefix(k)
            let found = try tensor.topK(k, largest: largest)
            #expect(found.indices.elements == Array(order))
            let numbers = try tensor.converted(to: Double.self).elements
            let values = try found.values.converted(to: Double.self).elements
            #expect(zip(values, order).allSatisfy { $0 == numbers[Int($1)] || $0.isNaN && numbers[Int($1)].isNaN })
        }
    }

    @Test(
        "heap and digits give the first of a full sort, ties by place", arguments: [0, 1, 2, 31, 256, 257, 999, 1_000])
    func naiveTwin(k: Int) throws {
        try check(try Tensor<Float>.normal([1_000], seed: 1), k)
        try check(try Tensor<Double>.normal([1_000], seed: 2), k)
        let ties = try Tensor<Int32>.integers([1_000], in: 0..<9, seed: 3)
        try check(ties, k)
        try check(try ties.converted(to: Float.self), k)
        try check(try ties.converted(to: BFloat16.self), k)
        var noisy = try Tensor<Float>.normal([1_000], seed: 4).elements
        for index in stride(from: 3, to: 1_000, by: 150) { noisy[index] = .nan }
        try check(try Tensor<Float>(noisy), k)
        try check(try Tensor<Float>((0..<1_000).map { Float($0) }), k)
    }

    @Test("the largest logits of a vocabulary", arguments: [1, 5, 50, 5_000])
    func logits(k: Int) throws {
        try check(try Tensor<Float>.normal([131_072], deviation: 4, seed: 12), k)
    }

    @Test("a batch has its own winners, along any axis")
    func batch() throws {
        let tensor = try Tensor<Float>([3, 9, 1, 7, 2, 8], shape: [3, 2])
        let rows = try tensor.topK(1)
        #expect(rows.values.shape == [3, 1])
        #expect(rows.values.elements == [9, 7, 8])
        #expect(rows.indices.elements == [1, 1, 1])
        let columns = try tensor.topK(2, axis: 0)
        #expect(columns.values.elements == [3, 9, 2, 8])
        #expect(columns.indices.elements == [0, 0, 2, 2])
    }

    @Test("more than there are is a sentence")
    func tooMany() throws {
        let tensor = try Tensor<Float>([1, 2])
        let error = #expect(throws: TensorError.self) { _ = try tensor.topK(3) }
        #expect(error?.sentence == "topK: [2] has 2 elements along the axis, not 3.")
    }
}
