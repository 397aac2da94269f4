internal import Tensors

/// What an optimizer remembers: for each parameter it has met, tensors of its shape and the steps that it has made.
///
/// Memory begins at zero with a parameter's first gradient, so that one that joins late, or is thawed, begins as new.
struct OptimizerMemory<Scalar: FloatingAccumulator> {
    /// Where a parameter's memory lies.
    struct Slot {
        let name: String
        let shape: [Int]
        var steps: Int
        /// One tensor for each kind.
        var tensors: [Tensor<Scalar>]
    }

    let optimizer: String
    /// `momentum`, for example.
    let kinds: [String]
    /// Whether the number of steps of each parameter is part of the state.
    let countsSteps: Bool
    private var slots: [Slot] = []
    private var places: [String: Int] = [:]

    init(_ optimizer: String, kinds: [String], countsSteps: Bool = false) {
        self.optimizer = optimizer
        self.kinds = kinds
        self.countsSteps = countsSteps
    }

    /// The place of a parameter's memory, made of zeros where there is none yet.
    ///
    /// - Throws: `TensorError` where the shape is not what is remembered, or memory runs out.
    mutating func place(of parameter: Parameter<Scalar>) throws(TensorError) -> Int {
        if let place = places[parameter.name] {
            guard slots[place].shape == parameter.shape else {
                throw TensorError(
                    optimizer, parameter.shape, slots[place].shape,
                    problem:
                        "differ: the first is the shape of \(parameter.name), the second that of its optimizer state")
            }
            return place
        }
        var tensors: [Tensor<Scalar>] = []
        for _ in kinds { tensors.append(try Tensor(repeating: 0, shape: parameter.shape)) }
        places[parameter.name] = slots.count
        slots.append(Slot(name: parameter.name, shape: parameter.shape, steps: 0, tensors: tensors))
        return slots.count - 1
    }

    subscript(place: Int) -> Slot {
        get { slots[place] }
        _modify { yield &slots[place] }
    }

    /// The elements of one kind of memory, to be changed. They stay where they are until the memory itself is changed.
    mutating func elements(_ kind: Int, at place: Int) throws(TensorError) -> UnsafeMutablePointer<Scalar> {
        try slots[place].tensors[kind].withMutableElements { $0.baseAddress! }
    }

    /// Notes that these have made a step.
    mutating func finishStep(_ places: [Int]) {
        for place in places { slots[place].steps += 1 }
    }

    var state: [(name: String, value: Tensor<Scalar>)] {
        slots.filter { $0.steps > 0 }.flatMap { slot in
            var entries = zip(kinds, slot.tensors).map { (name: "\(slot.name)/\($0)", value: $1) }
            if countsSteps, let steps = try? Tensor<Scalar>(Scalar(slot.steps)) {
                entries.append((name: "\(slot.name)/steps", value: steps))
            }
            return entries
        }
    }

    /// Takes up a state, sorted by name so that it does not depend on the order of a dictionary.
    ///
    /// - Parameter steps: those of the optimizer, where parameters have no count of their own.
    /// - Throws: `TensorError` that names an entry of another optimizer, or one that is missing or does not fit.
    mutating func restore(_ state: [String: Tensor<Scalar>], steps all: Int) throws(TensorError) {
        var fresh = OptimizerMemory(optimizer, kinds: kinds, countsSteps: countsSteps)
        var names: Set<String> = []
        for entry in state.keys.sorted() {
            let kind = entry.split(separator: "/").last.map(String.init) ?? ""
            guard kinds.contains(kind) || (countsSteps && kind == "steps"), entry.utf8.count > kind.utf8.count else {
                throw TensorError(
                    optimizer,
                    problem: "has no state \(entry): the state belongs to a different optimizer or is corrupt")
            }
            names.insert(String(entry.dropLast(kind.count + 1)))
        }
        for name in names.sorted() {
            var tensors: [Tensor<Scalar>] = []
            for kind in kinds { tensors.append(try fresh.entry("\(name)/\(kind)", in: state)) }
            var steps = max(1, all)
            if countsSteps {
                let entry = try fresh.entry("\(name)/steps", in: state)
                guard let count = entry.scalar, count >= 1, count <= 0x1p53, count.rounded() == count else {
                    throw TensorError(optimizer, entry.shape, problem: "is not a step count, in \(name)/steps")
                }
                steps = Int(count)
            }
            let shape = tensors.first?.shape ?? []
            if let other = tensors.first(where: { $0.shape != shape }) {
                throw TensorError(optimizer, shape, other.shape, problem: "differ in the optimizer state of \(name)")
            }
            fresh.places[name] = fresh.slots.count
            fresh.slots.append(Slot(name: name, shape: shape, steps: steps, tensors: tensors))
        }
        self = fresh
    }

    private func entry(_ name: String, in state: [String: Tensor<Scalar>]) throws(TensorError) -> Tensor<Scalar> {
        guard let tensor = state[name] else {
            throw TensorError(optimizer, problem: "cannot restore the state: \(name) is missing")
        }
        return tensor
    }
}
