import Tensors
import Testing

@Suite struct ReductionTests {
    static let axes: [(tag: String, axes: [Int])] = [
        ("all", []), ("0", [0]), ("1", [1]), ("2", [2]), ("0 2", [0, 2]), ("1 2", [1, 2]), ("0 1", [0, 1]),
    ]

    @Test("reductions over any axes agree with NumPy", arguments: axes)
    func golden(_ over: (tag: String, axes: [Int])) throws {
        func reduced(
            _ name: String, _ reduce: @escaping @Sendable (Tensor<Float>, [Int]) throws -> Tensor<Float>
        ) throws {
            let axes = over.axes
            try GoldenCase("\(name) over \(over.tag)", within: 1e-6) { try reduce($0.float(), axes) }.check()
        }
        try reduced("sum") { try $0.sum(axes: $1) }
        try reduced("mean") { try $0.mean(axes: $1) }
        try reduced("maximum") { try $0.maximum(axes: $1) }
        try reduced("minimum") { try $0.minimum(axes: $1) }
        try reduced("variance") { try $0.variance(axes: $1, correction: 1) }
        try reduced("logSumExp") { try $0.logSumExp(axes: $1) }
    }

    @Test(
        "places, steps and the other types agree with NumPy",
        arguments: [
            GoldenCase("argmax over 0") { try $0.float().argmax(0) },
            GoldenCase("argmax over 1") { try $0.float().argmax(1) },
            GoldenCase("argmax over 2") { try $0.float().argmax(2) },
            GoldenCase("argmin over 0") { try $0.float().argmin(0) },
            GoldenCase("argmin over 1") { try $0.float().argmin(1) },
            GoldenCase("argmin over 2") { try $0.float().argmin(-1) },
            GoldenCase("cumulative sum over 0") { try $0.float().cumulativeSum(0) },
            GoldenCase("cumulative sum over 1") { try $0.float().cumulativeSum(1) },
            GoldenCase("cumulative sum over 2") { try $0.float().cumulativeSum(2) },
            GoldenCase("maximum of NaN") { try $0.float().maximum(1) },
            GoldenCase("argmax of NaN") { try $0.float().argmax(1) },
            GoldenCase("product", within: 1e-6) { try $0.float().product(1) },
            GoldenCase("int8 sum") { try $0.tensor(as: Int8.self).sum(0) },
            GoldenCase("any") { try $0.tensor(as: Bool.self).any(2) },
            GoldenCase("all") { try $0.tensor(as: Bool.self).all(0) },
        ])
    func golden(_ golden: GoldenCase) throws { try golden.check() }

    @Test(
        "a sum has the same bits however the tensor is in memory",
        arguments: [5, 127, 128, 129, 1_000, 5_000, 70_000])
    func layout(count: Int) throws {
        var random = SeededNumbers(seed: UInt64(count))
        let rows = try random.tensor([9, count])  // [row, element]
        let columns = try rows.transposed().contiguous()  // [element, row]
        let sums = try rows.sum(1)
        #expect(try columns.sum(0) == sums)
        #expect(try columns.transposed().sum(1) == sums)
        #expect(try rows.reshaped([9, 1, count]).permuted([2, 1, 0]).sum(0, 1) == sums)
        #expect(try rows.variance(1) == columns.variance(0))
        #expect(try rows.logSumExp(1) == columns.logSumExp(0))
        #expect(try rows.argmax(1) == columns.argmax(0))
        for row in 0..<9 {
            #expect(try rows[row].sum().scalar == sums.element(at: [row]), "a row alone is as a row among others")
        }
    }

    @Test("a sum of many elements is as exact as float32 allows") func accuracy() throws {
        let count = 3_000_017
        let sum = try Tensor<Float>(repeating: 0.1, shape: [count]).sum().scalar!
        #expect(abs(Double(sum) - Double(count) * Double(Float(0.1))) / (Double(count) * 0.1) < 2e-7)
        let halves = try Tensor<Float16>(repeating: 1, shape: [60_000]).sum().scalar
        #expect(halves == 60_000, "16-bit sums are carried in float32")
        #expect(try Tensor<Int8>(repeating: 127, shape: [1_000]).sum().scalar == 127_000)
    }

    @Test("axes can be kept, and none is all") func kept() throws {
        let x = try Tensor<Float>.arange(to: 6).reshaped([2, 3])
        #expect(try x.sum(1, keepingAxes: true) == Tensor(rows: [[3], [12]]))
        #expect(try x.mean().scalar == 2.5)
        #expect(try x.argmax(0, keepingAxes: true).shape == [1, 3])
        #expect(try x.argmax().scalar == 5)
        #expect(try (x - x.mean(-1, keepingAxes: true)).elements == [-1, 0, 1, -1, 0, 1])
        #expect(try x.standardDeviation(1, correction: 1).elements == [1, 1])
    }

    @Test("empty tensors have sums but no extremes") func empty() throws {
        let none = try Tensor<Float>([], shape: [2, 0])
        #expect(try none.sum(1).elements == [0, 0] && none.sum().scalar == 0)
        #expect(try none.product(1).elements == [1, 1])
        #expect(try none.mean(1).elements.allSatisfy(\.isNaN))
        #expect(try none.logSumExp(1).elements == [-.infinity, -.infinity])
        #expect(try none.maximum(0).shape == [0])
        #expect(throws: TensorError.self) { try none.maximum(1) }
        #expect(try Tensor<Bool>([]).all().scalar == true && Tensor<Bool>([]).any().scalar == false)
        #expect(try Tensor<Float>(7).sum().scalar == 7)
    }

    @Test("infinities do not make logSumExp a NaN") func infinities() throws {
        let x = try Tensor<Float>(rows: [[-.infinity, -.infinity], [.infinity, 1], [1_000, 1_000]])
        let sums = try x.logSumExp(1).elements
        #expect(sums[0] == -.infinity && sums[1] == .infinity && abs(sums[2] - 1_000.6931) < 1e-3)
    }

    @Test("integers that grow past 32 bits are refused") func integers() throws {
        #expect(throws: TensorError.self) { try Tensor<Int32>([.max, 1, -1]).cumulativeSum(0) }
        #expect(try Tensor<Int32>([.max, 1, -1]).sum().scalar == .max, "only the result must fit")
    }
}
