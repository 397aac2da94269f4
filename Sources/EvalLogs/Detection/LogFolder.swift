internal import Glibc
internal import System
internal import Traces

/// Logs of any programs in a folder, and in the folders in it.
enum LogFolder {
    private static let mostFolders = 256
    private static let mostFiles = 4_096

    /// The runs of every file that is a log, those of lm-eval first.
    ///
    /// A file that is a log and cannot be opened is a run that tells why.
    static func open(_ path: String, isCancelled: @Sendable () -> Bool) throws(EvalLogError) -> [any EvalLog] {
        var logs = try LMEvalFolder.open(path, isCancelled: isCancelled)
        var folders = [path]
        var looked = 0
        while !folders.isEmpty {
            let folder = folders.removeFirst()
            for name in names(folder) where !LMEvalFolder.isResults(name) && !LMEvalFolder.isSamples(name) {
                if isCancelled() { throw EvalLogError(path: path, problem: "cancelled", isCancellation: true) }
                let file = folder + "/" + name
                var status = stat()
                guard stat(file, &status) == 0 else { continue }
                if status.st_mode & S_IFMT == S_IFDIR {
                    if folder == path, folders.count < mostFolders { folders.append(file) }
                    continue
                }
                guard status.st_mode & S_IFMT == S_IFREG, looked < mostFiles else { continue }
                looked += 1
                guard let opened = try? LogFile(file), let head = try? opened.bytes(0..<min(64 << 10, opened.size)),
                    let format = format(of: head)
                else { continue }
                do throws(EvalLogError) {
                    logs += try format.open(file, isCancelled: isCancelled)
                } catch {
                    if error.isCancellation { throw error }
                    logs.append(DamagedLog(file, name, format.format, error))
                }
            }
        }
        guard !logs.isEmpty else {
            throw EvalLogError(
                path: path, problem: "no evaluation logs in the folder or its subfolders",
                remedy: "Supported logs: Orrery, Inspect, lm-eval, promptfoo, garak, and OpenAI evals.")
        }
        return logs
    }

    private static func format(of head: [UInt8]) -> (any EvalLogFormat.Type)? {
        guard let kind = EvalLogHead(head).kind else { return nil }
        return EvalLogFormats.all.first { $0.kind == kind }
    }

    /// Returns the contents of a folder, sorted; empty if it cannot be read.
    static func names(_ path: String) -> [String] {
        Folder.readableNames(in: path, limit: 100_000).filter { !$0.hasPrefix(".") }
    }

    /// A log that cannot be opened.
    private final class DamagedLog: EvalLog {
        let run: EvalRun
        private let failure: EvalLogError

        init(_ path: String, _ name: String, _ format: String, _ failure: EvalLogError) {
            self.failure = failure
            run = EvalRun(
                key: path, name: name, task: "", model: "", format: format, path: path, state: .unfinished,
                problem: failure.problem)
        }

        func rows(_ range: Range<Int>, isCancelled: @Sendable () -> Bool) throws(EvalLogError) -> [EvalRow] {
            throw failure
        }

        func sample(_ index: Int) throws(EvalLogError) -> EvalSampleRecord { throw failure }
        func spans(of index: Int) throws(EvalLogError) -> [SpanRecord] { throw failure }
    }
}
