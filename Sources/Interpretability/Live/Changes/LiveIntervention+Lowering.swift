internal import Models
internal import System
internal import Tensors

extension LiveIntervention {
    /// What is done at hooks, in order; features are apart, since what they become depends on what they are.
    enum Step {
        case change(Intervention<Float>)
        case feature(dictionary: Int, feature: Int, FeatureChange, PositionSelection)

        func hook(_ dictionaries: [AttachedDictionary]) -> Hook {
            switch self {
            case .change(let change): change.hook
            case .feature(let dictionary, _, _, _): dictionaries[dictionary].hook
            }
        }
    }

    /// - Throws: An error if a layer, head, feature or hook does not exist, or a tensor does not fit.
    func steps(
        for configuration: ModelConfiguration, _ dictionaries: [AttachedDictionary]
    ) throws(Problem) -> [Step] {
        let hooks = Hook.allCases(for: configuration)
        let changes: [Intervention<Float>]
        switch kind {
        case .feature(let dictionary, let feature, let change):
            guard dictionaries.indices.contains(dictionary) else {
                throw Problem(
                    .missing, title, "the run has no dictionary \(dictionary)",
                    remedy: dictionaries.isEmpty
                        ? "Attach one." : "Use a number from 0 to \(dictionaries.count - 1).")
            }
            let count = dictionaries[dictionary].dictionary.featureCount
            guard (0..<count).contains(feature) else {
                throw Problem(
                    .missing, dictionaries[dictionary].name, "no feature \(feature) in the dictionary",
                    remedy: "Use a feature from 0 to \(count - 1).")
            }
            return [.feature(dictionary: dictionary, feature: feature, change, positions)]
        case .head(let layer, let head, let scale):
            changes = [
                Intervention(.z(layer: layer), at: positions, head: head, scale == 0 ? .zero : .scale(scale))
            ]
        case .steering(let hook, let direction, let times):
            changes = [Intervention(hook, at: positions, .add(direction, times: times))]
        case .patch(let hook, let head, let rows, let first):
            changes = try patches(hook, head, rows, first)
        case .ablateDirection(let direction, let named):
            let all = named.isEmpty ? (0..<configuration.layerCount).map { Hook.residualPost(layer: $0) } : named
            changes = all.map { Intervention($0, at: positions, .project(out: direction)) }
        case .change(var change):
            if case .all = change.positions { change.positions = positions }
            changes = [change]
        }
        for change in changes {
            let shape = change.hook.shape(for: configuration, tokens: 1, keys: 1)
            try change.check(hooks: hooks, shape: shape, isWhole: false)
        }
        return changes.map { .change($0) }
    }

    /// One replacement for each row.
    private func patches(
        _ hook: Hook, _ head: Int?, _ rows: Tensor<Float>, _ first: Int
    ) throws(Problem) -> [Intervention<Float>] {
        switch hook {
        case .scores, .pattern:
            throw Problem(
                .missing, title, "attention patterns have no rows per token",
                remedy: "Patch attn.hook_z of the head instead.")
        default: break
        }
        guard rows.rank > 1, first >= 0 else {
            throw Problem(
                .invalid, title, "a patch of shape \(rows.shape) at token \(first) does not have one row per token",
                remedy: "Use rows from InspectedRun.activations.")
        }
        let elements = rows.elements
        let row = Array(rows.shape.dropFirst())
        let count = row.reduce(1, *)
        return try telling {
            try (0..<rows.shape[0]).compactMap { index in
                let position = first + index
                guard positions.contains(position) else { return nil }
                let tensor = try Tensor(Array(elements[index * count..<(index + 1) * count]), shape: row)
                return Intervention(hook, at: .only(position), head: head, .replace(tensor))
            }
        }
    }
}
