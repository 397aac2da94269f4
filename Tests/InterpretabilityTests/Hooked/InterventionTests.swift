import Interpretability
import Models
import Tensors
import Testing
import Training

@Suite("Interventions")
struct InterventionTests {
    private let z = Hook.z(layer: 0)
    private let stream = Hook.residualPost(layer: 0)
    private let scores = Hook.scores(layer: 0)

    /// 0, 1, 2, ...
    private func counted(_ shape: [Int]) throws -> Tensor<Double> {
        try Tensor.arange(to: Double(shape.reduce(1, *))).reshaped(shape)
    }

    /// What a change should do, written down number by number.
    private func naive(
        _ intervention: Intervention<Double>, _ x: Tensor<Double>, _ change: (Double, [Int]) throws -> Double
    ) throws -> Tensor<Double> {
        let byHead = intervention.hook == scores
        var result: [Double] = []
        for (place, value) in x.elements.enumerated() {
            var (rest, index) = (place, [Int]())
            for size in x.shape.reversed() {
                index.insert(rest % size, at: 0)
                rest /= size
            }
            let head = x.rank == 3 ? index[byHead ? 0 : 1] : nil
            let isSelected =
                intervention.positions.contains(index[byHead ? 1 : 0])
                && (intervention.head == nil || intervention.head == head)
                && (intervention.column == nil || intervention.column == index.last)
            result.append(isSelected ? try change(value, index) : value)
        }
        return try Tensor(result, shape: x.shape)
    }

    @Test(
        "change the numbers that are selected and no others",
        arguments: [PositionSelection.all, .only(2), .range(1..<3), .from(3)])
    func selection(_ positions: PositionSelection) throws {
        for (hook, shape) in [(stream, [4, 6]), (z, [4, 3, 2]), (scores, [3, 4, 4])] {
            let x = try counted(shape)
            for head in shape.count == 3 ? [nil, 1] : [nil] {
                for column in [nil, 1] {
                    func make(_ change: Intervention<Double>.Change) -> Intervention<Double> {
                        Intervention(hook, at: positions, head: head, column: column, change)
                    }
                    let other = try counted(shape) * -3
                    let zero = make(.zero)
                    #expect(try zero.applied(to: x) == naive(zero, x) { _, _ in 0 })
                    let scaled = make(.scale(2))
                    #expect(try scaled.applied(to: x) == naive(scaled, x) { number, _ in 2 * number })
                    let replaced = make(.replace(other))
                    #expect(try replaced.applied(to: x) == naive(replaced, x) { number, _ in -3 * number })
                    let vector = try counted([shape[shape.count - 1]])
                    let added = make(.add(vector, times: 0.5))
                    #expect(
                        try added.applied(to: x)
                            == naive(added, x) { number, index in number + 0.5 * Double(index[index.count - 1]) })
                }
            }
        }
    }

    @Test("put one row in the place of every token's") func rows() throws {
        let x = try counted([4, 3, 2])
        let row = try counted([3, 2]) + 100
        let mean = Intervention<Double>(z, .replace(row))
        #expect(try mean.applied(to: x) == naive(mean, x) { _, index in Double(100 + 2 * index[1] + index[2]) })
        let one = Intervention<Double>(z, head: 2, .replace(row))
        #expect(try one.applied(to: x) == naive(one, x) { _, index in Double(100 + 2 * index[1] + index[2]) })
    }

    @Test("take a direction out, and set a component along it") func directions() throws {
        let x = try Tensor<Double>.normal([4, 6], seed: 5)
        let v = try Tensor<Double>.normal([6], seed: 6)
        let unit = try v / (v * v).sum().power(0.5)
        let without = try Intervention(stream, .project(out: v)).applied(to: x)
        #expect(try matmul(without, unit).elements.allSatisfy { abs($0) < 1e-12 })
        let set = try Intervention(stream, at: .from(1), .setComponent(along: v, to: 3)).applied(to: x)
        let components = try matmul(set, unit).elements
        #expect(components.dropFirst().allSatisfy { abs($0 - 3) < 1e-12 })
        #expect(try set[0] == x[0])
        // What is left is the same: only the component has changed.
        let rest = try Intervention(stream, .project(out: v)).applied(to: set)
        #expect(misfit(rest, without, within: 1e-12) <= 1)
    }

    @Test("leave hidden keys hidden") func hiddenKeys() throws {
        let x = try Tensor<Double>([1, -.infinity, 2, 3], shape: [1, 2, 2])
        let zero = try Intervention<Double>(scores, .zero).applied(to: x)
        #expect(zero.elements == [0, -.infinity, 0, 0])
        let scaled = try Intervention<Double>(scores, .scale(0)).applied(to: x)
        #expect(scaled.elements == [0, -.infinity, 0, 0])
        let added = try Intervention<Double>(scores, .add(Tensor([1, 1]), times: 2)).applied(to: x)
        #expect(added.elements == [3, -.infinity, 4, 5])
    }

    @Test("count positions from the beginning of the sequence") func absolutePositions() throws {
        let x = try counted([2, 3])
        let change = Intervention<Double>(stream, at: .only(5), .zero)
        #expect(try change.applied(to: x, firstPosition: 4).elements == [0, 1, 2, 0, 0, 0])
        #expect(try change.applied(to: x, firstPosition: 6) == x)
        let patch = Intervention<Double>(stream, .replace(try counted([6, 3]) * 10))
        #expect(try patch.applied(to: x, firstPosition: 4).elements == [120, 130, 140, 150, 160, 170])
        // A row that the other tensor does not reach stays.
        #expect(try patch.applied(to: x, firstPosition: 5).elements == [150, 160, 170, 3, 4, 5])
    }

    @Test("let gradients through as small changes go through") func gradients() throws {
        let model: HookedTransformer<Double> = try TransformerLensGolden.small().model("gpt")
        let direction = try Tensor<Double>.normal([model.width], seed: 3)
        let changes: [Intervention<Double>] = [
            Intervention(.residualPre(layer: 1), at: .from(1), .setComponent(along: direction, to: 1)),
            Intervention(.z(layer: 1), head: 2, .scale(0.3)),
            Intervention(.feedForwardPost(layer: 1), column: 4, .zero),
        ]
        let hook = Hook.residualPost(layer: 0)
        let result = try model.runWithGradients([1, 2, 3, 4], changes, keeping: .all, at: [hook]) {
            try $0[-1, 3] - $0[-1, 7]
        }
        let gradient = try #require(result.gradients[hook])
        let base = try result.cache[hook]
        for (position, column) in [(0, 0), (1, 5), (3, 2)] {
            var values: [Double] = []
            for step in [1e-5, -1e-5] {
                var moved = base
                try moved.set(moved.element(at: [position, column]) + step, at: [position, column])
                let logits = try model.run(
                    [1, 2, 3, 4], [Intervention(hook, .replace(moved))] + changes, keeping: .all)
                values.append(
                    try logits[.logits].element(at: [-1, 3]) - logits[.logits].element(at: [-1, 7]))
            }
            let slope = (values[0] - values[1]) / 2e-5
            #expect(abs(slope - (try gradient.element(at: [position, column]))) < 1e-6)
        }
    }

    @Test("are refused in a sentence where they do not fit") func refusals() throws {
        let model: HookedTransformer<Double> = try TransformerLensGolden.small().model("gpt")
        func sentence(_ change: Intervention<Double>) -> String {
            do { _ = try model.run([1, 2, 3], [change], keeping: .none) } catch { return "\(error)" }
            return "nothing was refused"
        }
        #expect(
            sentence(Intervention(.z(layer: 0), head: 9, .zero))
                == "blocks.0.attn.hook_z: head 9 is out of range. Use 0 to 3.")
        #expect(
            sentence(Intervention(stream, head: 0, .zero))
                == "blocks.0.hook_resid_post: the hook has no heads. Omit the head, or use a hook such as attn.hook_z.")
        #expect(
            sentence(Intervention(stream, at: .only(3), .zero))
                == "blocks.0.hook_resid_post: the positions are outside the 3 tokens. Use positions from 0 to 2.")
        #expect(
            sentence(Intervention(stream, column: 16, .zero))
                == "blocks.0.hook_resid_post: column 16 is out of range. Use 0 to 15.")
        let longer = try counted([4, 16])
        #expect(
            sentence(Intervention(stream, .replace(longer)))
                == "blocks.0.hook_resid_post: the intervention tensor has shape [4, 16]. Use [3, 16], "
                + "or [16] for every token.")
        #expect(
            sentence(Intervention(.expertWeights(layer: 0), .zero))
                .hasPrefix("blocks.0.mlp.hook_expert_weights: unknown hook. Similar hooks: "))
    }
}
