internal import Synchronization

/// A place: the pages behind one digit of the title line, which answer one kind of question.
package struct PlaceInfo: Hashable, Sendable {
    /// Name in settings and commands, such as `models`.
    package let identifier: String
    package let title: String

    package init(_ identifier: String, _ title: String) {
        self.identifier = identifier
        self.title = title
    }

    package static let traces = PlaceInfo("traces", "Traces")
    package static let models = PlaceInfo("models", "Models")
    package static let retrieval = PlaceInfo("retrieval", "Retrieval")
    package static let kernels = PlaceInfo("kernels", "Kernels")
    package static let evals = PlaceInfo("evals", "Evals")
}

/// State that the pages of one place share, such as the runs chosen on one page and compared on another.
///
/// Each place has its own type. A page creates its handle from its context; all handles of one type share one value.
/// Reads that depend on the value run again when the user comes to the page. Only pages change the value: they run on
/// one thread, so no change is lost between reading and writing it.
///
/// ```swift
/// let chosen: PlaceState<ChosenRuns>
/// init(_ context: PanelContext) { chosen = PlaceState(in: context, initially: ChosenRuns()) }
/// ```
package struct PlaceState<Value: Sendable>: Sendable {
    private final class Storage: Sendable {
        let value: Mutex<Value>
        init(_ value: Value) { self.value = Mutex(value) }
    }

    private let storage: Storage

    /// Creates a handle to the value that the pages of the context share.
    ///
    /// - Parameter value: Value for the first page that asks.
    package init(in context: PanelContext, initially value: Value) {
        storage = context.states.find { Storage(value) }
    }

    package var value: Value {
        get { storage.value.withLock { $0 } }
        nonmutating set { storage.value.withLock { $0 = newValue } }
    }
}

/// The values of all places of one workbench, at most one of each type.
package final class PlaceStates: Sendable {
    private let storages = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    package init() {}

    /// Returns the storage of a type, after creating it if it is missing.
    fileprivate func find<Storage: AnyObject & Sendable>(_ make: () -> Storage) -> Storage {
        storages.withLock { storages in
            if let storage = storages[ObjectIdentifier(Storage.self)] as? Storage { return storage }
            let storage = make()
            storages[ObjectIdentifier(Storage.self)] = storage
            return storage
        }
    }
}
