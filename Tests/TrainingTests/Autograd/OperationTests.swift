import Tensors
import Testing
import Training

@Suite("Operations of variables")
struct OperationTests {
    @Test("views share the memory of what they show")
    func views() throws {
        let x = Variable.leaf(try Tensor<Float>.normal([4, 1, 6], seed: 1))
        let views = [
            try x.reshaped([2, 12]), try x.transposed(), try x.permuted([2, 1, 0]), try x.movingAxis(0, to: 2),
            try x.squeezed(1), try x.expanded(at: 0), try x.flipped(0), try x[1..<3], try x[.all, 0, .every(2)],
            try x.broadcast(to: [4, 5, 6]), try x.diagonal(axes: 0, 2), try x.split(into: 2)[1], try x.flattened(),
        ]
        for view in views { #expect(view.value.storage === x.value.storage) }
    }

    @Test("products and Einstein's sums of variables are those of tensors")
    func products() throws {
        let (a, b) = (try Tensor<Double>.normal([3, 4], seed: 1), try Tensor<Double>.normal([4, 3], seed: 2))
        let (x, y) = (Variable(a), Variable(b))
        func check(_ found: Variable<Double>, _ expected: Tensor<Double>) throws {
            #expect(found.shape == expected.shape)
            #expect(try abs(found.value - expected).maximum().scalar ?? .nan < 1e-12)
        }
        try check(x.product(1), a.product(1))
        try check(x.product(), a.product())
        try check(x.product(-2, keepingAxes: true), a.product(0, keepingAxes: true))
        for formula in ["ij,jk->ik", "ij,jk->ki", "ij,ji->", "ij,jk", "ij,kl->jl"] {
            try check(einsum(formula, x, y), einsum(formula, a, b))
        }
        let square = Variable(try matmul(a, b))
        try check(einsum("ii->", square), Tensor(square.value.trace()))
        try check(einsum("ji", x), einsum("ji", a))
        #expect(try Variable(Tensor<Double>([])).product().scalar == 1)
    }

    @Test("what does not fit is refused with a sentence that names the operation")
    func wrongShapes() throws {
        func sentence(_ body: () throws -> Void) -> String {
            do { try body() } catch let error as TensorError { return error.sentence } catch {}
            return "no error"
        }
        let (x, v) = (Variable.leaf(try Tensor<Double>.ones(2, 3)), Variable.leaf(try Tensor<Double>.ones(4)))
        let answers: [(String, () throws -> Void)] = [
            ("add: [2, 3] and [4] are incompatible: the sizes 3 and 4 of axis -1 differ.", { _ = try x + v }),
            ("matmul: [2, 3] and [4] are incompatible: the inner sizes 3 and 4 differ.", { _ = try matmul(x, v) }),
            ("sum: [2, 3] has no axis 2: its axes are 0 to 1, or -2 to -1.", { _ = try x.sum(2) }),
            ("sum: [2, 3] has no axis 5: its axes are 0 to 1, or -2 to -1.", { _ = try x.product(5) }),
            ("flattened: [2, 3] has no axis 2.", { _ = try x.flattened(from: 2) }),
            ("flipped: [2, 3] has no axis 3: its rank is 2.", { _ = try x.flipped(3) }),
            ("flipped: [2, 3] gets axis 1 twice.", { _ = try x.flipped(1, -1) }),
            ("slice: [2, 3] has no axis 2: its rank is 2.", { _ = try x.sliced(axis: 2, 0..<1) }),
            (
                "summed: [2, 3] and [2] are incompatible: the second cannot be broadcast to the first.",
                { _ = try x.summed(to: [2]) }
            ),
            ("outer: [2, 3] and [4] are incompatible: both must be vectors.", { _ = try outer(x, v) }),
            (
                "einsum(ij,jk): [2, 3] and [4] are incompatible: jk has 2 axes, but the shape is [4].",
                { _ = try einsum("ij,jk", x, v) }
            ),
            (
                "einsum(ij,j->i): [2, 3] and [4] are incompatible: j has sizes 3 and 4.",
                { _ = try einsum("ij,j->i", x, v) }
            ),
            (
                "einsum(i1->i): [2, 3] cannot be combined: axes must be letters, as in ij,jk->ik.",
                { _ = try einsum("i1->i", x) }
            ),
            (
                "einsum(ij->k): [2, 3] cannot produce k: output axes must come from the operands, each at most once.",
                {
                    _ = try einsum("ij->k", x)
                }
            ),
        ]
        for (answer, body) in answers { #expect(sentence(body) == answer) }
    }
}
