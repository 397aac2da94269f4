internal import Formatting
internal import Glibc
internal import System
internal import Tensors

/// The checkpoints of one run: `step-000001200.safetensors` and so on, and `best.safetensors`.
///
/// A file is written next to its destination, synced and renamed, then the folder is synced: whatever happens, the names that
/// can be seen stand for whole files. One program at a time writes into a folder: a lock says so.
final class CheckpointFolder {
    typealias Write = ([(name: String, tensor: AnyTensor)], [String: String], String) throws -> Void

    let path: String
    /// Of the last ones.
    private let keep: Int
    private let write: Write
    private var lock: Int32 = -1

    /// - Parameters:
    ///   - isLocked: whether to lock for writing; readers do not wait for a run.
    ///   - waits: whether to wait for another run in the folder to end instead of throwing an error.
    ///   - write: writes tensors and texts to a path, whole or not at all; tests give one that fails.
    init(
        _ path: String, keep: Int, isLocked: Bool = true, waits: Bool = false,
        write: @escaping Write = { try TensorFile.write($0, metadata: $1, to: $2) }
    ) throws(Problem) {
        self.path = path
        self.keep = max(1, keep)
        self.write = write
        guard isLocked else { return }
        try FileBytes.makeFolder(path)
        repeat { lock = try Self.locked(path, waits: waits) } while lock < 0
        // What a killed run left half written.
        for name in names() where name.hasSuffix(".partial") { unlink("\(path)/\(name)") }
    }

    // A run that never came to write anything leaves nothing behind.
    deinit {
        guard lock >= 0 else { return }
        if Set(names()).isSubset(of: [".", "..", Self.lockName]) {
            unlink("\(path)/\(Self.lockName)")
            rmdir(path)
        }
        // A child process that is just being started may also hold the file open.
        flock(lock, LOCK_UN)
        close(lock)
    }

    private static let lockName = "lock"

    /// The lock of a folder, taken; -1 if another program removed its file meanwhile.
    private static func locked(_ path: String, waits: Bool) throws(Problem) -> Int32 {
        let name = "\(path)/\(lockName)"
        let lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard lock >= 0 else {
            throw Problem(.failed, path, "cannot write to the folder: \(String(cString: strerror(errno)))")
        }
        var failed = flock(lock, waits ? LOCK_EX : LOCK_EX | LOCK_NB)
        while failed != 0, errno == EINTR { failed = flock(lock, waits ? LOCK_EX : LOCK_EX | LOCK_NB) }
        guard failed == 0 else {
            close(lock)
            throw Problem(
                .busy, path, "another run is using this folder", remedy: "Stop that run, or choose a different folder.")
        }
        var (mine, there) = (stat(), stat())
        if fstat(lock, &mine) == 0, stat(name, &there) == 0, mine.st_ino == there.st_ino { return lock }
        close(lock)
        return -1
    }

    static let bestName = "best.safetensors"

    /// Steps that there are files of, ascending.
    var steps: [Int] { names().compactMap(Self.step).sorted() }

    func file(of step: Int) -> String { "\(path)/step-\(Format.padded(step, digits: 9)).safetensors" }

    /// Writes a checkpoint, removes old ones, and returns its path.
    ///
    /// - Throws: a sentence; the files of before are still there.
    func save(_ checkpoint: TrainingCheckpoint, isBest: Bool = false) throws(Problem) -> String {
        let file = file(of: checkpoint.state.step)
        let (tensors, metadata) = try checkpoint.parts()
        do {
            try write(tensors, metadata, file)
        } catch {
            let last = steps.last.map { "The checkpoint of step \($0) is intact." } ?? "There is no earlier checkpoint."
            throw Problem(.failed, "", "cannot write the checkpoint of step \(checkpoint.state.step): \(error) \(last)")
        }
        if isBest { keepAsBest(file) }
        for step in steps.dropLast(keep) { unlink(self.file(of: step)) }
        return file
    }

    /// The last checkpoint that can be read; `nil` if there is none.
    ///
    /// - Parameter note: is called for every file that was passed over.
    /// - Throws: a sentence where there are files, but none can be read.
    func last(before bound: Int = .max, _ note: (String) -> Void) throws(Problem) -> TrainingCheckpoint? {
        var failure: Problem?
        for step in steps.reversed() where step < bound {
            do {
                let checkpoint = try TrainingCheckpoint(contentsOf: file(of: step))
                if failure != nil { note("Using \(file(of: step)) instead.") }
                return checkpoint
            } catch {
                note(error.sentence)
                failure = error
            }
        }
        guard let failure else { return nil }
        throw Problem(
            .missing, path, "no checkpoint can be read",
            remedy: "Use --fresh to start over and replace the checkpoints. \(failure.sentence)")
    }

    /// Removes checkpoints of later steps, which belong to a course that was given up.
    func remove(after step: Int) {
        for later in steps where later > step { unlink(file(of: later)) }
        let best = "\(path)/\(Self.bestName)"
        if let checkpoint = try? TrainingCheckpoint(contentsOf: best), checkpoint.state.step > step { unlink(best) }
    }

    /// Removes all checkpoints.
    func removeAll() {
        for step in steps { unlink(file(of: step)) }
        unlink("\(path)/\(Self.bestName)")
    }

    /// Atomically replaces a file by another hard link to the same data.
    private func keepAsBest(_ file: String) {
        let partial = "\(path)/\(Self.bestName).\(getpid()).partial"
        unlink(partial)
        // Some file systems have no hard links.
        let isThere = link(file, partial) == 0 || FileBytes.copy(file, to: partial)
        if isThere { rename(partial, "\(path)/\(Self.bestName)") }
        unlink(partial)
    }

    private static func step(_ name: String) -> Int? {
        guard name.hasPrefix("step-"), name.hasSuffix(".safetensors") else { return nil }
        return Int(name.dropFirst(5).dropLast(12))
    }

    private func names() -> [String] { Folder.readableNames(in: path) }
}
