internal import Glibc
internal import Models
internal import Synchronization
internal import System
internal import Tensors

private let stagedFolders = Atomic<UInt64>(0)

/// A folder that is filled next to its destination and appears under its name whole or not at all.
final class StagedFolder {
    /// Where it is filled.
    let temporary: String
    private let path: String
    private var isCommitted = false

    /// Files that belong to a tokenizer, where a folder has them.
    private static let companions = [
        "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "vocab.json",
        "merges.txt", "vocab.txt", "tokenizer.model", "chat_template.jinja", "generation_config.json",
    ]

    init(_ path: String) throws(ModelError) {
        var place = path
        while place.count > 1, place.hasSuffix("/") { place.removeLast() }
        self.path = place
        temporary = "\(place).\(getpid()).\(stagedFolders.add(1, ordering: .relaxed).newValue).partial"
        guard mkdir(temporary, 0o777) == 0 else { throw Self.failure("create a folder next to it", path) }
    }

    deinit { if !isCommitted { Folder.remove(temporary) } }

    func write(_ bytes: [UInt8], as name: String) throws(ModelError) {
        let place = "\(temporary)/\(name)"
        guard let file = fopen(place, "wb") else { throw Self.failure("write \(name)", path) }
        let written = fwrite(bytes, 1, bytes.count, file) == bytes.count
        let flushed = fflush(file) == 0 && fsync(fileno(file)) == 0
        guard fclose(file) == 0, written, flushed else { throw Self.failure("write \(name)", path) }
    }

    /// A tokenizer.json, or the companions that a folder has.
    func copyTokenizer(_ source: String) throws(ModelError) {
        if source.hasSuffix(".json") {
            try copy(source, as: "tokenizer.json")
            return
        }
        for name in Self.companions where access("\(source)/\(name)", F_OK) == 0 {
            try copy("\(source)/\(name)", as: name)
        }
    }

    private func copy(_ source: String, as name: String) throws(ModelError) {
        let file: MappedFile
        do { file = try MappedFile(source) } catch { throw ModelError(source, problem: error.sentence) }
        try withExtendedLifetime(file) { () throws(ModelError) in try write(Array(file.bytes), as: name) }
    }

    /// Puts it in its place; what was there goes.
    func commit() throws(ModelError) {
        let old = "\(temporary).old"
        let wasThere = access(path, F_OK) == 0
        if wasThere, rename(path, old) != 0 { throw Self.failure("move the old folder away", path) }
        guard rename(temporary, path) == 0 else {
            let error = Self.failure("move the new folder into place", path)
            if wasThere { rename(old, path) }
            throw error
        }
        isCommitted = true
        if wasThere { Folder.remove(old) }
    }

    private static func failure(_ action: String, _ path: String) -> ModelError {
        let reason = errno == ENOSPC ? "the disk is full" : String(cString: strerror(errno))
        return ModelError(
            path, problem: "cannot \(action): \(reason)",
            remedy: errno == ENOSPC
                ? "Free disk space, or write to a different disk." : "Check the path and its permissions.")
    }
}
