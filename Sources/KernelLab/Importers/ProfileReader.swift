/// Reads a profile into memory, without a workspace.
public enum ProfileReader {
    /// Reads a whole file.
    ///
    /// - Throws: `Problem`; `CancellationError` once `isCancelled` says so.
    public static func read(
        _ path: String, options: ProfileImportOptions = ProfileImportOptions(),
        isCancelled: @escaping () -> Bool = { false }, progress: @escaping (ProfileImportProgress) -> Void = { _ in }
    ) throws -> Profile {
        var launches: [Launch] = []
        let summary = try read(path, options: options, isCancelled: isCancelled, progress: progress) {
            launches.append($0)
        }
        return Profile(summary: summary, launches: launches)
    }

    /// Reads a file launch by launch, in bounded memory.
    static func read(
        _ path: String, options: ProfileImportOptions, isCancelled: @escaping () -> Bool,
        progress: @escaping (ProfileImportProgress) -> Void, keep: @escaping (Launch) throws -> Void
    ) throws -> ProfileSummary {
        var report: (Int) -> Void = { _ in }
        let source = try ProfileSource(path: path, isCancelled: isCancelled) { report($0) }
        let type = try ProfileFormats.importer(of: source.beginning, named: options.format, path: path)
        let sink = ProfileSink(path: path, keep: keep)
        report = { [size = source.size, unowned sink] bytes in
            progress(ProfileImportProgress(bytesDone: bytes, bytesTotal: size, launches: sink.launchCount))
        }
        let digest = try source.digest()
        var importer = type.init(options: options)
        try importer.read(source, into: sink)
        guard sink.launchCount > 0 else {
            throw source.error("the file has no launches", "Profile a program that runs a kernel: \(type.recipe).")
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var summary = ProfileSummary(
            title: options.title ?? sink.title ?? name, tool: type.tool, format: type.format, path: path)
        summary.size = source.size
        summary.digest = digest
        sink.finish(&summary)
        progress(
            ProfileImportProgress(bytesDone: source.size, bytesTotal: source.size, launches: sink.launchCount))
        return summary
    }
}
