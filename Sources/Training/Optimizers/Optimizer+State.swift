public import Tensors

extension Optimizer {
    /// State for a checkpoint: name `PARAMETER/SLOT`, such as `blk.0.attn_q.weight/momentum`, and tensor.
    ///
    /// Parameters that have not been updated have no entries. The step counts of rules that need them are scalars named
    /// `PARAMETER/steps`, float32 copies of rounded weights are named `PARAMETER/master`.
    public var state: [(name: String, value: Tensor<Scalar>)] {
        var state: [(name: String, value: Tensor<Scalar>)] = []
        for (index, part) in parts.enumerated() {
            for entry in entries where entry.part == index && entry.steps > 0 {
                state += zip(part.stateNames, entry.slots).map { ("\(entry.name)/\($0)", $1) }
                // This fails only if not even one number can be allocated.
                if part.rule.countsSteps, let steps = try? Tensor<Scalar>(Scalar(entry.steps)) {
                    state.append(("\(entry.name)/steps", steps))
                }
            }
        }
        return state + (masters?.state ?? [])
    }

    /// Restores the state of an optimizer with the same rule.
    ///
    /// - Parameters:
    ///   - state: Entries of ``state``, by name.
    ///   - steps: Number of steps of the optimizer, which is also that of each parameter if the rule counts no steps.
    /// - Throws: `TensorError` that names a missing, unknown, or mismatched entry; the optimizer is then unchanged.
    public mutating func restore(_ state: [String: Tensor<Scalar>], steps: Int) throws(TensorError) {
        var restored = self
        var rest = state
        restored.masters?.restore(from: &rest)
        (restored.entries, restored.entryIndices, restored.steps) = ([], [:], steps)
        var names = [Set<String>](repeating: [], count: parts.count)
        for key in rest.keys {
            guard let slash = key.lastIndex(of: "/"),
                let part = parts.firstIndex(where: { $0.stateNames.contains(String(key[slash...].dropFirst())) })
            else { continue }
            names[part].insert(String(key[..<slash]))
        }
        // Entries are sorted so that the result does not depend on the order of the dictionary.
        for (part, names) in names.enumerated() {
            for name in names.sorted() { try restored.restore(name, part, from: &rest) }
        }
        if let unknown = rest.keys.min() {
            throw TensorError(
                parts[parts.count - 1].rule.title,
                problem: "has no state \(unknown): the state belongs to a different optimizer or is corrupt")
        }
        self = restored
    }

    /// Appends an entry for a parameter, and removes the entry's tensors from the state.
    private mutating func restore(
        _ name: String, _ part: Int, from state: inout [String: Tensor<Scalar>]
    ) throws(TensorError) {
        let (title, stateNames) = (parts[part].rule.title, parts[part].stateNames)
        var slots: [Tensor<Scalar>] = []
        for stateName in stateNames {
            guard let tensor = state.removeValue(forKey: "\(name)/\(stateName)") else {
                throw TensorError(title, problem: "cannot restore the state: \(name)/\(stateName) is missing")
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
        entryIndices[name] = entries.count
        entries.append(entry)
    }
}
