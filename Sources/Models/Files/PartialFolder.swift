internal import Glibc
internal import Synchronization
internal import System

/// A folder that is filled under a temporary name and gets its name only when complete.
final class PartialFolder {
    /// Where it is filled.
    let temporary: String
    private let path: String
    private var isCommitted = false
    private static let names = Atomic<UInt64>(0)

    init(_ path: String) throws(ModelError) {
        var place = path
        while place.count > 1, place.hasSuffix("/") { place.removeLast() }
        self.path = place
        temporary = "\(place).\(getpid()).\(Self.names.add(1, ordering: .relaxed).newValue).partial"
        guard mkdir(temporary, 0o777) == 0 else {
            throw ModelError.system("create a temporary folder next to it", path)
        }
    }

    deinit { if !isCommitted { Folder.remove(temporary) } }

    /// Puts it in its place; what was there goes.
    func commit() throws(ModelError) {
        let old = "\(temporary).old"
        let wasThere = FileNames.exists(path)
        if wasThere, rename(path, old) != 0 { throw ModelError.system("move the old folder away", path) }
        guard rename(temporary, path) == 0 else {
            let error = ModelError.system("move the new folder into place", path)
            if wasThere { rename(old, path) }
            throw error
        }
        isCommitted = true
        FileNames.syncFolder(of: path)
        if wasThere { Folder.remove(old) }
    }
}
