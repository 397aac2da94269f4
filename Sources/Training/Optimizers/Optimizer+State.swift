public import Tensors

extension Optimizer {
    /// What it remembers, by parameter and kind: `blk.0.attn_q.weight/momentum`.
    public var state: [(name: String, value: Tensor<Scalar>)] {
        var state: [(name: String, value: Tensor<Scalar>)] = []
        for (index, part) in parts.enumerated() {
            for entry in entries where entry.part == index && entry.steps > 0 {
                state += zip(part.kinds, entry.slots).map { ("\(entry.name)/\($0)", $1) }
                if part.rule.countsSteps, let steps = try? Tensor<Scalar>(Scalar(entry.steps)) {
                    state.append(("\(entry.name)/steps", steps))
                }
            }
        }
        return state + (masters?.state ?? [])
    }

    /// Restores what an optimizer with the same rule remembered.
    ///
    /// - Parameter all: steps of the optimizer, and of each parameter if the rule does not count them.
    /// - Throws: `TensorError` that names what is missing or does not fit; nothing has changed then.
    public mutating func restore(_ state: [String: Tensor<Scalar>], steps all: Int) throws(TensorError) {
        var restored = self
        var rest = state
        restored.masters?.restore(from: &rest)
        (restored.entries, restored.places, restored.steps) = ([], [:], all)
        var names = [Set<String>](repeating: [], count: parts.count)
        for key in rest.keys {
            guard let slash = key.lastIndex(of: "/"),
                let part = parts.firstIndex(where: { $0.kinds.contains(String(key[slash...].dropFirst())) })
            else { continue }
            names[part].insert(String(key[..<slash]))
        }
        // Sorted, so that nothing depends on the order of a dictionary.
        for (part, names) in names.enumerated() {
            for name in names.sorted() { try restored.restore(name, part, from: &rest) }
        }
        if let other = rest.keys.min() {
            throw TensorError(
                parts[parts.count - 1].rule.title,
                problem: "has no state \(other): the state belongs to a different optimizer or is corrupt")
        }
        self = restored
    }

    /// Moves what is kept of a parameter from a state to a new entry.
    private mutating func restore(
        _ name: String, _ part: Int, from state: inout [String: Tensor<Scalar>]
    ) throws(TensorError) {
        let (title, kinds) = (parts[part].rule.title, parts[part].kinds)
        var slots: [Tensor<Scalar>] = []
        for kind in kinds {
            guard let tensor = state.removeValue(forKey: "\(name)/\(kind)") else {
                throw TensorError(title, problem: "cannot restore the state: \(name)/\(kind) is missing")
            }
            slots.append(tensor)
        }
        var entry = Entry(part: part, name: name, steps: max(1, steps), slots: [])
        if parts[part].rule.countsSteps {
            let steps = slots.removeLast()
            guard let count = steps.scalar, count >= 1, count <= 0x1p53, count.rounded() == count else {
                throw TensorError(title, steps.shape, problem: "is not a step count, in \(name)/steps")
            }
            entry.steps = Int(count)
        }
        if let first = slots.first, let other = slots.first(where: { $0.shape != first.shape }) {
            throw TensorError(title, first.shape, other.shape, problem: "differ in the optimizer state of \(name)")
        }
        entry.slots = slots
        places[name] = entries.count
        entries.append(entry)
    }
}
