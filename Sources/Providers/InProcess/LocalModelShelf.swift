internal import Glibc
public import Inference
public import LanguageModels
public import Models
internal import Synchronization

/// The models of this process that are open, by path: opened once, shared by all who ask, and closed when others need
/// the memory.
public final class LocalModelShelf: Sendable {
    private let shelf: ModelShelf<LocalModel>
    private let opened = Mutex<[String: Weak]>([:])

    private struct Weak {
        weak var model: LocalModel?
    }

    /// - Parameter budget: bytes of weights that may be open at once.
    public init(_ budget: ModelBudget = .available()) { shelf = ModelShelf(budget) }

    /// The model of a file or folder; opened at the first request, and in use for as long as the value lives.
    public func model(atPath path: String) throws(ModelError) -> LeasedModel {
        let key = Self.absolute(path)
        let lease = try shelf.lease(key, bytes: Checkpoints.open(path).weightBytes) { () throws(ModelError) in
            try LocalModel(path: path)
        }
        opened.withLock { $0[key] = Weak(model: lease.model) }
        return LeasedModel(lease)
    }

    /// Returns the current state of a model; `nil` if the model is not open.
    public func live(atPath path: String) -> LiveSnapshot? {
        let key = Self.absolute(path)
        return opened.withLock { $0[key]?.model }?.live
    }

    private static func absolute(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}

/// A model of the shelf, in use while this value lives.
public struct LeasedModel: LanguageModel {
    private let lease: ModelShelf<LocalModel>.Lease

    init(_ lease: ModelShelf<LocalModel>.Lease) { self.lease = lease }

    public var local: LocalModel { lease.model }
    public var name: String { local.name }
    public var provider: String { local.provider }
    public var capabilities: ModelCapabilities { local.capabilities }

    public func respond(
        to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse {
        try local.respond(to: request, isCancelled: isCancelled, receive: receive)
    }
}
