internal import Models
internal import System
internal import Tensors

/// The interventions of a run, ready for a pass: what is done at each hook, in the order in which they are listed.
struct LiveChanges {
    private let dictionaries: [AttachedDictionary]
    private var steps: [Hook: [LiveIntervention.Step]] = [:]

    /// - Throws: An error if one of them does not fit the model; those that are off are checked too.
    init(
        _ interventions: [LiveIntervention], for configuration: ModelConfiguration,
        _ dictionaries: [AttachedDictionary]
    ) throws(Problem) {
        self.dictionaries = dictionaries
        for intervention in interventions {
            let lowered = try intervention.steps(for: configuration, dictionaries)
            guard intervention.isOn else { continue }
            for step in lowered { steps[step.hook(dictionaries), default: []].append(step) }
        }
    }

    var isEmpty: Bool { steps.isEmpty }

    func wants(_ hook: Hook) -> Bool { steps[hook] != nil }

    /// Whether a layer's weights are not what its queries and keys say.
    func changesPattern(layer: Int) -> Bool { wants(.scores(layer: layer)) || wants(.pattern(layer: layer)) }

    func apply(
        _ hook: Hook, _ values: UnsafeMutableBufferPointer<Float>, shape: [Int], firstPosition: Int
    ) throws(Problem) {
        guard let steps = steps[hook] else { return }
        var index = 0
        while index < steps.count {
            switch steps[index] {
            case .change(let change):
                try telling { try change.apply(to: values, shape: shape, firstPosition: firstPosition) }
                index += 1
            case .feature(let dictionary, _, _, _):
                // Neighbors of one dictionary see the same features: one does not feed on another.
                var group: [FeatureSetting] = []
                while index < steps.count,
                    case .feature(dictionary, let feature, let change, let positions) = steps[index]
                {
                    group.append(FeatureSetting(feature: feature, change: change, positions: positions))
                    index += 1
                }
                try dictionaries[dictionary].dictionary.apply(
                    group, to: values, tokens: shape[0], firstPosition: firstPosition)
            }
        }
    }
}

/// What becomes of one feature, and where.
struct FeatureSetting {
    var feature: Int
    var change: LiveIntervention.FeatureChange
    var positions: PositionSelection
}

extension SparseAutoencoder {
    /// h += (target − f) W_dec[feature] for every setting, with the features of h as it comes.
    func apply(
        _ settings: [FeatureSetting], to values: UnsafeMutableBufferPointer<Float>, tokens: Int, firstPosition: Int
    ) throws(Problem) {
        guard let base = values.baseAddress, tokens > 0 else { return }
        let width = inputWidth
        let affected = (0..<tokens).filter { token in
            settings.contains { $0.positions.contains(firstPosition + token) }
        }
        guard !affected.isEmpty else { return }
        var gathered: [Float] = []
        for token in affected { gathered += UnsafeBufferPointer(start: base + token * width, count: width) }
        let rows = gathered
        try telling {
            let inputs = try Tensor(rows, shape: [affected.count, width])
            let features = try encode(inputs, only: settings.map(\.feature)).elements
            let restoring = try RowRestoring(inputs, normalization)
            for (column, setting) in settings.enumerated() {
                // The scale of all rows is undone in the direction.
                let direction = try featureDirection(setting.feature).elements
                for (row, token) in affected.enumerated() where setting.positions.contains(firstPosition + token) {
                    let value = features[row * settings.count + column]
                    let scale = normalizesRows ? restoring.outward(row).factor : 1
                    let change = (setting.change.target(of: value) - value) * scale
                    guard change != 0 else { continue }
                    let target = base + token * width
                    for number in 0..<width { target[number] += change * direction[number] }
                }
            }
        }
    }

    /// Each row has a scale of its own.
    private var normalizesRows: Bool { normalization == .rowNorm || normalization == .layerNorm }
}
