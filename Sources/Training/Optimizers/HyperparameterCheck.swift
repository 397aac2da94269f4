internal import Tensors

/// Refuses numbers with which an optimizer would do nothing sensible, in a sentence.
struct HyperparameterCheck {
    let optimizer: String

    /// A rate, a decay, an epsilon.
    func notNegative(_ value: Double, _ name: String) throws(TensorError) {
        guard value.isFinite, value >= 0 else {
            throw TensorError(optimizer, problem: "needs \(name) to be 0 or more, not \(value)")
        }
    }

    /// The share that a moving mean keeps.
    func share(_ value: Double, _ name: String) throws(TensorError) {
        guard value >= 0, value < 1 else {
            throw TensorError(optimizer, problem: "needs \(name) from 0 to below 1, not \(value)")
        }
    }

    func groups(_ groups: ParameterGroups) throws(TensorError) {
        try notNegative(groups.weightDecay, "weight decay")
        for group in groups.groups {
            try notNegative(group.rateFactor, "rate factor")
            try notNegative(group.weightDecay ?? 0, "weight decay")
        }
    }
}
