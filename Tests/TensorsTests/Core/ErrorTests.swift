import Tensors
import Testing

@Suite struct ErrorTests {
    struct Wrong: CustomTestStringConvertible, Sendable {
        let sentence: String
        let call: @Sendable (_ a: Tensor<Float>, _ b: Tensor<Float>) throws -> Any

        init(_ sentence: String, _ call: @escaping @Sendable (Tensor<Float>, Tensor<Float>) throws -> Any) {
            self.sentence = sentence
            self.call = call
        }

        var testDescription: String { sentence }
    }

    @Test(
        "a wrong call is answered with its name and the shapes",
        arguments: [
            Wrong("matmul: [2, 3] and [4, 5] are incompatible: the inner sizes 3 and 4 differ.") { try matmul($0, $1) },
            Wrong("matmul: [2, 3] and [] are incompatible: a scalar has no rows; multiply it with *.") { a, _ in
                try matmul(a, Tensor(1))
            },
            Wrong("add: [2, 3] and [4, 5] are incompatible: the sizes 3 and 5 of axis -1 differ.") { try $0 + $1 },
            Wrong("add: [3] and [2, 3] are incompatible: the first is changed in place and cannot grow.") {
                (a, _) in
                var row = try a[0]
                try row += a
                return row
            },
            Wrong("tensor: [2, 3] needs 6 elements, not 5.") { _, _ in try Tensor([1, 2, 3, 4, 5], shape: [2, 3]) },
            Wrong("tensor: [2, -3] has the negative size -3.") { _, _ in try Tensor(repeating: 1, shape: [2, -3]) },
            Wrong("tensor: [4611686018427387904, 4] has too many elements for memory.") { _, _ in
                try Tensor(repeating: 1, shape: [1 << 62, 4])
            },
            Wrong("tensor: [35184372088832] needs more memory than any machine has.") { _, _ in
                try Tensor(repeating: 1, shape: [1 << 45])
            },
            Wrong("tensor: row 1 has 1 elements, row 0 has 2.") { _, _ in try Tensor(rows: [[1, 2], [3]]) },
            Wrong("reshaped: [2, 3] and [4, -1] are incompatible: 6 elements are not a multiple of 4.") { a, _ in
                try a.reshaped([4, -1])
            },
            Wrong(
                "reshaped: [2, 3] and [7] are incompatible: they have 6 and 7 elements."
            ) { a, _ in try a.reshaped([7]) },
            Wrong("slice: [2, 3] has no element 3 on axis 1, whose size is 3.") { a, _ in try a[.all, 3] },
            Wrong("slice: [2, 3] has 2 axes, but 3 are selected.") { a, _ in try a[0, 0, 0] },
            Wrong("slice: [2, 3] cannot be sliced in steps of 0 on axis 0.") { a, _ in try a[.every(0)] },
            Wrong("sum: [2, 3] has no axis 2: its axes are 0 to 1, or -2 to -1.") { a, _ in try a.sum(2) },
            Wrong("sum: [2, 3] gets axis 1 twice.") { a, _ in try a.sum(1, -1) },
            Wrong("maximum: [0] has no elements along the axes [0].") { _, _ in try Tensor<Float>([]).maximum() },
            Wrong("broadcast: [2, 3] and [3] are incompatible: the first cannot be broadcast to the second.") { a, _ in
                try a.broadcast(to: [3])
            },
            Wrong("element: [2, 3] needs 2 indices, not 1.") { a, _ in try a.element(at: [0]) },
            Wrong("element: [2, 3] has no element -3 on axis 0, whose size is 2.") { a, _ in
                try a.element(at: [-3, 0])
            },
            Wrong("squeezed: [2, 3] has size 3 on axis 1, not 1.") { a, _ in try a.squeezed(1) },
            Wrong("permuted: [2, 3] needs a permutation of its 2 axes, not [0].") { a, _ in try a.permuted([0]) },
            Wrong("concatenate: [2, 3] and [4, 5] are incompatible: only the size of axis 0 may differ.") {
                try concatenate([$0, $1])
            },
            Wrong("concatenate: needs at least one tensor.") { _, _ in try concatenate([Tensor<Float>]()) },
            Wrong("stack: [2, 3] and [4, 5] are incompatible: the shapes must be equal.") { try stack([$0, $1]) },
            Wrong(
                "split: [2, 3] has size 3 on axis 1, which is not the sum of [1, 1]."
            ) { a, _ in try a.split([1, 1], axis: 1)
            },
            Wrong("selecting: [2, 3] has no element 2: the size of the axis is 2.") { a, _ in try a.selecting([0, 2]) },
            Wrong("layerNorm: [2, 3] and [2] are incompatible: the weight must have the shape [3].") { a, _ in
                try layerNorm(a, weight: Tensor([1, 2]))
            },
            Wrong(
                "conv1d: [2, 3] and [4, 5] are incompatible: expected [batch, channel, position] and [output, "
                    + "channel, tap]."
            ) {
                try conv1d($0, $1)
            },
            Wrong("einsum(ij,jk): [2, 3] and [4, 5] are incompatible: j has sizes 3 and 4.") {
                try einsum("ij,jk", $0, $1)
            },
            Wrong("einsum(ij->k): [2, 3] cannot produce k: output axes must come from the operands, each at most once.")
            { a, _ in
                try einsum("ij->k", a)
            },
            Wrong("oneHot: [1] has class 4, but there are 3 classes.") { _, _ in try oneHot(Tensor<Int32>([4]), 3) },
            Wrong("arange: from 0.0 to 1.0 in steps of 0.0 has too many elements.") { _, _ in
                try Tensor<Float>.arange(to: 1, step: 0)
            },
        ])
    func sentences(_ wrong: Wrong) throws {
        let a = try Tensor<Float>(repeating: 1, shape: [2, 3])
        let b = try Tensor<Float>(repeating: 1, shape: [4, 5])
        let error = #expect(throws: TensorError.self) { _ = try wrong.call(a, b) }
        #expect(error?.sentence == wrong.sentence)
    }

    @Test("an integer sum that does not fit says so") func overflow() throws {
        let error = try #require(throws: TensorError.self) { try Tensor<Int32>([.max, 1]).sum() }
        #expect(
            error.sentence == "sum: [2] has the sum 2147483648, which overflows int32. Convert it to float64.")
    }
}
