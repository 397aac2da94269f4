public import Models
internal import Synchronization
public import Tensors

/// A change while a text comes, as a value that a list shows, switches and edits between tokens.
///
/// ```swift
/// run.interventions = [LiveIntervention(.head(layer: 3, head: 2, scale: 0))]
/// run.interventions[0].isOn = false
/// ```
public struct LiveIntervention: Identifiable, Sendable {
    /// Unique in this process.
    public let id: Int
    public var isOn: Bool
    public var positions: PositionSelection
    public var kind: Kind

    public enum Kind: Sendable {
        /// What a head gathered, times a factor: 0 turns it off.
        case head(layer: Int, head: Int, scale: Float)
        /// h += (target − f) W_dec[feature] at the dictionary's hook: what the dictionary does not explain stays.
        ///
        /// - `dictionary`: its number in `RunOptions.dictionaries`.
        case feature(dictionary: Int, feature: Int, FeatureChange)
        /// h += times · direction, `[D]` or the row of the hook.
        case steering(Hook, Tensor<Float>, times: Float)
        /// Rows of another run (`InspectedRun.activations`): the first goes to token `at`, the others after it.
        case patch(Hook, head: Int?, Tensor<Float>, at: Int)
        /// h − (h·v̂)v̂ at each of the hooks; at every `resid_post` if no hooks are given.
        case ablateDirection(Tensor<Float>, hooks: [Hook])
        case change(Intervention<Float>)
    }

    /// What becomes of a feature.
    public enum FeatureChange: Hashable, Sendable {
        case off
        case scale(Float)
        case set(Float)

        /// What f is to be.
        public func target(of value: Float) -> Float {
            switch self {
            case .off: 0
            case .scale(let factor): factor * value
            case .set(let target): target
            }
        }
    }

    private static let made = Atomic<Int>(0)

    /// - Parameter positions: Tokens that it acts on as they are run; what was run before stays as it was.
    public init(_ kind: Kind, at positions: PositionSelection = .all, isOn: Bool = true) {
        id = Self.made.add(1, ordering: .relaxed).newValue
        self.kind = kind
        self.positions = positions
        self.isOn = isOn
    }

    /// `L3 H2 off`, `feature 417 × 4`.
    public var title: String {
        switch kind {
        case .head(let layer, let head, let scale):
            "L\(layer) H\(head) " + (scale == 0 ? "off" : "× \(Self.words(scale))")
        case .feature(_, let feature, .off): "feature \(feature) off"
        case .feature(_, let feature, .scale(let factor)): "feature \(feature) × \(Self.words(factor))"
        case .feature(_, let feature, .set(let target)): "feature \(feature) = \(Self.words(target))"
        case .steering(let hook, _, let times): "steer \(hook.name) × \(Self.words(times))"
        case .patch(let hook, let head, let rows, let first):
            "patch \(hook.name)" + (head.map { " H\($0)" } ?? "") + " at \(first)"
                + (rows.shape[0] > 1 ? " to \(first + rows.shape[0] - 1)" : "")
        case .ablateDirection(_, let hooks):
            "direction removed from " + (hooks.isEmpty ? "every layer" : hooks.map(\.name).joined(separator: ", "))
        case .change(let change): "\(change.hook.name)" + (change.head.map { " H\($0)" } ?? "") + " changed"
        }
    }

    private static func words(_ number: Float) -> String {
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
