import Interpretability
import Models
import Tensors
import Testing

@Suite("Edge attribution")
struct EdgeAttributionTests {
    @Test("is the slope of each path that a small part of a sender takes to a receiver", arguments: ["gpt", "llama"])
    func slopes(name: String) throws {
        let prompts = try PatchPrompts(name)
        let model = prompts.model
        let edges = try EdgeAttribution(
            model, clean: prompts.clean, corrupt: prompts.corrupt, metric: .logProbability(3))
        let map = try edges.map()
        let (base, source) = (try model.run(edges.pair.base), try model.run(edges.pair.source))
        let changes = try (source[.z(layer: 0)] - base[.z(layer: 0)])[.all, 2]
        let written = try matmul(changes, model.weights.output(layer: 0, head: 2))
        let row = try #require(map.rows.labels.firstIndex(of: "0.2"))
        // A small part of what head 0.2 writes, seen by one reader of block 1 alone.
        let readers: [(String, Hook, Int)] = [
            ("1.1 q", .query(layer: 1), 1), ("1.0 k", .key(layer: 1), 0), ("1.1 v", .value(layer: 1), 1),
        ]
        for (label, hook, head) in readers {
            let values = try [1e-4, -1e-4].map { step in
                let moved = try base[.residualPre(layer: 1)] + written * step
                let read = try model.runWhole(
                    edges.pair.base, [Intervention(.residualPre(layer: 1), .replace(moved))])[hook]
                return try edges.pair.value(model, [Intervention(hook, head: head, .replace(read))])
            }
            let column = try #require(map.columns.labels.firstIndex(of: label))
            let estimate = map.values[row * map.columns.labels.count + column] - edges.pair.baseValue
            let slope = (values[0] - values[1]) / 2e-4
            #expect(abs(slope - estimate) <= 1e-6 * (1 + abs(estimate)), "\(label)")
        }
    }

    @Test("adds up, over all that read a sender, to the attribution of its output", arguments: ["gpt", "llama"])
    func sums(name: String) throws {
        let prompts = try PatchPrompts(name)
        let edges = try EdgeAttribution(
            prompts.model, clean: prompts.clean, corrupt: prompts.corrupt, metric: PatchPrompts.metric)
        let map = try edges.map()
        let whole = try AttributionPatching(
            prompts.model, clean: prompts.clean, corrupt: prompts.corrupt, metric: PatchPrompts.metric,
            direction: .noising
        ).maps([(.z, .layerByHead), (.feedForwardOut, .layerByPosition)])
        #expect(map.isComplete)
        for (row, label) in map.rows.labels.enumerated() {
            let sum = map.columns.labels.indices.map { map[row, $0] }.filter { !$0.isNaN }.reduce(0, +)
            let parts = label.split(separator: ".").compactMap { Int($0) }
            if parts.count == 2 { #expect(abs(sum - whole[0][parts[0], parts[1]]) < 1e-9, "\(label)") }
            if label == "mlp 0" {
                let outputs = prompts.clean.indices.reduce(0) { $0 + whole[1][0, $1] }
                #expect(abs(sum - outputs) < 1e-9)
            }
        }
        // Nothing flows backward.
        let last = try #require(map.rows.labels.firstIndex(of: "mlp 1"))
        #expect(map.columns.labels.indices.filter { !map[last, $0].isNaN } == [map.columns.labels.count - 1])
    }

    @Test("comes nearer to the whole difference where gradients are integrated")
    func integrated() throws {
        let prompts = try PatchPrompts("gpt")
        let edges = try EdgeAttribution(
            prompts.model, clean: prompts.clean, corrupt: prompts.corrupt, metric: PatchPrompts.metric)
        // The embeddings' edges together stand for everything that differs.
        let errors = try [1, 64].map { steps in
            let map = try edges.map(steps: steps)
            return abs(map.columns.labels.indices.map { map[0, $0] }.reduce(0, +) - 1)
        }
        #expect(errors[1] < 0.01)
        #expect(errors[1] < errors[0])
    }
}
