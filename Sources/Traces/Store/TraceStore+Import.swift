public import Workspace

extension TraceStore {
    /// Imports files, folders (with all folders inside) and standard input (`-`).
    ///
    /// A file and its companions are stored completely or not at all, whatever happens, kill -9 included. A file of
    /// which every byte is known changes nothing. A file that has grown is read again completely, its spans keep their
    /// ordinals, and only what is new is added. Another file with spans of a known trace adds to that trace. A deleted
    /// run is restored when its file is imported again. Files in a folder that are unreadable or not traces are counted
    /// and skipped; a file named explicitly must be readable and of a known format.
    ///
    /// Memory: about 60 MB, and what the traces of one file take (roughly 1 KB a span); with more than 50,000 runs up to
    /// 100 MB more for indexes. Files are committed together until they are 256 MB or have taken three seconds, so that
    /// the disk is waited for seldom.
    ///
    /// Pipes and other files that can be read only once are kept in an unnamed file first, as standard input is.
    ///
    /// - Parameters:
    ///   - job: Gets the bytes that are on the disk, its observers those that are read; ends the import when it is
    ///     canceled.
    ///   - cancellation: Ends the import at once; files done by then are kept, and the report says that it was ended.
    ///   - progress: Called on this thread, at most ten times per second.
    /// - Throws: `ImportError` for the first file that cannot be imported (earlier files are kept), `WorkspaceError`.
    @discardableResult
    public func importTraces(
        _ paths: [String], options: ImportOptions = ImportOptions(), job: JobHandle? = nil,
        cancellation: Cancellation? = nil, progress: (ImportProgress) -> Void = { _ in }
    ) throws -> ImportReport {
        let isCancelled = { job?.isCancelled ?? false || cancellation?.isCancelled ?? false }
        return try withoutActuallyEscaping(progress) { progress in
            let session = try ImportSession(
                plan: ImportPlan(paths, options: options, isCancelled: isCancelled), options: options, job: job,
                isCancelled: isCancelled, progress: progress)
            return try session.run(in: workspace)
        }
    }
}
