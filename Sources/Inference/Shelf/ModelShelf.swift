internal import Formatting
public import Models
internal import Synchronization

/// Loaded models within a memory budget: the least recently used model is dropped first, models in use never.
///
/// ```swift
/// let shelf = ModelShelf<Transformer>(ModelBudget(bytes: 8 << 30))
/// let lease = try shelf.lease("stories260K", bytes: size) { try Transformer.load(Checkpoints.open(path)) }
/// lease.model.forward(...)            // in use until the lease is gone
/// ```
///
/// Any thread may ask; loads happen one after the other, so that two callers never load the same model twice.
public final class ModelShelf<Model: Sendable>: Sendable {
    private struct Entry {
        var name: String
        var model: Model
        var bytes: Int
        var leases: Int
        /// The turn of its last use.
        var used: Int
    }
    private struct State {
        var budget: ModelBudget
        var entries: [Entry] = []
        var turn = 0
        var peakBytes = 0

        var bytes: Int { entries.reduce(0) { $0 + $1.bytes } }
    }
    private let state: Mutex<State>
    private let loading = Mutex(())

    public init(_ budget: ModelBudget) { state = Mutex(State(budget: budget)) }

    /// The state of a loaded model, for display.
    public struct Item: Hashable, Sendable {
        public var name: String
        public var bytes: Int
        /// Number of current users.
        public var leases: Int
    }

    /// Loaded models, the most recently used first.
    public var items: [Item] {
        state.withLock { state in
            state.entries.sorted { $0.used > $1.used }.map { Item(name: $0.name, bytes: $0.bytes, leases: $0.leases) }
        }
    }

    public var bytes: Int { state.withLock { $0.bytes } }
    /// The most that was loaded at once.
    public var peakBytes: Int { state.withLock { $0.peakBytes } }

    /// A smaller one drops models that are not in use at once.
    public var budget: ModelBudget {
        get { state.withLock { $0.budget } }
        set {
            let dropped = state.withLock { state in
                state.budget = newValue
                return Self.makeRoom(for: 0, in: &state)
            }
            _ = dropped  // freed here, outside of the lock
        }
    }

    /// A model in use; when the last reference is released, the shelf may drop the model.
    public final class Lease: Sendable {
        public let model: Model
        public let name: String
        private let shelf: ModelShelf

        fileprivate init(_ model: Model, name: String, shelf: ModelShelf) {
            self.model = model
            self.name = name
            self.shelf = shelf
        }

        deinit { shelf.giveBack(name) }
    }

    /// Returns a lease of a model, which is loaded if needed.
    ///
    /// - Parameters:
    ///   - bytes: Expected memory of the model.
    ///   - load: Loads the model after memory is freed; must not use the shelf.
    /// - Throws: `ModelError` where models in use leave no room, or what `load` throws.
    public func lease(
        _ name: String, bytes: Int, load: () throws(ModelError) -> Model
    ) throws(ModelError) -> Lease {
        if let lease = leaseLoaded(name) { return lease }
        return try loading.withLock { _ throws(ModelError) in
            // Another thread may have loaded the model while it held the lock.
            if let lease = leaseLoaded(name) { return lease }
            let bytes = min(max(0, bytes), 1 << 60)
            let dropped = try state.withLock { state throws(ModelError) in
                let dropped = Self.makeRoom(for: bytes, in: &state)
                guard bytes <= state.budget.bytes - state.bytes else { throw noRoom(name, bytes, state) }
                return dropped
            }
            _ = dropped
            let model = try load()
            state.withLock { state in
                state.turn += 1
                state.entries.append(Entry(name: name, model: model, bytes: bytes, leases: 1, used: state.turn))
                state.peakBytes = max(state.peakBytes, state.bytes)
            }
            return Lease(model, name: name, shelf: self)
        }
    }

    /// Drops a model now; returns `false` if the model is in use or not loaded.
    @discardableResult
    public func drop(_ name: String) -> Bool {
        let dropped: Entry? = state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.name == name && $0.leases == 0 }) else { return nil }
            return state.entries.remove(at: index)
        }
        return dropped != nil
    }

    private func leaseLoaded(_ name: String) -> Lease? {
        let model: Model? = state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.name == name }) else { return nil }
            state.turn += 1
            state.entries[index].leases += 1
            state.entries[index].used = state.turn
            return state.entries[index].model
        }
        return model.map { Lease($0, name: name, shelf: self) }
    }

    private func giveBack(_ name: String) {
        let dropped = state.withLock { state -> [Entry] in
            guard let index = state.entries.firstIndex(where: { $0.name == name }) else { return [] }
            state.entries[index].leases -= 1
            return Self.makeRoom(for: 0, in: &state)  // the budget may have shrunk meanwhile
        }
        _ = dropped
    }

    /// Takes out what was not used for longest until `bytes` fit, or nothing that is free is left.
    ///
    /// If even that frees too little memory, all models stay, so a failed load drops nothing.
    private static func makeRoom(for bytes: Int, in state: inout State) -> [Entry] {
        let free = state.entries.filter { $0.leases == 0 }.sorted { $0.used < $1.used }
        var over = state.bytes + bytes - state.budget.bytes
        guard over > 0, bytes == 0 || free.reduce(0, { $0 + $1.bytes }) >= over else { return [] }
        var dropped: [Entry] = []
        for entry in free where over > 0 {
            over -= entry.bytes
            state.entries.removeAll { $0.name == entry.name }
            dropped.append(entry)
        }
        return dropped
    }

    private func noRoom(_ name: String, _ bytes: Int, _ state: State) -> ModelError {
        let inUse = state.entries.filter { $0.leases > 0 }
        guard !inUse.isEmpty else {
            return ModelError(
                name,
                problem:
                    "the model needs \(Format.bytes(bytes)), but the memory budget is \(Format.bytes(state.budget.bytes))",
                remedy: "Raise the budget, or use a smaller quantization.")
        }
        return ModelError(
            name,
            problem:
                "the model needs \(Format.bytes(bytes)), but models in use occupy \(Format.bytes(inUse.reduce(0) { $0 + $1.bytes })) "
                + "of \(Format.bytes(state.budget.bytes)): \(inUse.map(\.name).joined(separator: ", "))",
            remedy: "Close one of them, or raise the budget.")
    }
}
