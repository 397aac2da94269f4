import System

/// A run of another program, as found on disk.
struct FoundRun: Equatable, Sendable {
    /// The path by which it is known in the workspace.
    var source: String
    var name: String
    var format: RunFormat
    /// Its files, in the order in which they are read.
    var files: [String]
}

/// Looks for runs of others under a path.
struct RunSearch {
    /// A tree with more entries is searched so far only.
    private static let mostEntries = 50_000
    private static let deepest = 16
    private static let headLength = 64 << 10

    private(set) var found: [FoundRun] = []
    private var entries = 0
    private let root: String

    /// - Parameter root: canonical.
    init(_ root: String) {
        self.root = root
        switch FilePath.kind(of: root) {
        case .folder: search(root, depth: 0)
        case .file: if let run = Self.run(file: root) { found = [run] }
        default: break
        }
    }

    /// The format of a single file; nil for a foreign one.
    static func format(of file: String) -> RunFormat? {
        let head = SmallFile.head(file, headLength) ?? []
        let known: RunFormat? = head.withUnsafeBytes { bytes in
            if TensorBoardReader.recognizes(bytes) { return .tensorBoard }
            return WeightsAndBiasesReader.recognizes(bytes) ? .weightsAndBiases : nil
        }
        if let known { return known }
        if TrainerStateReader.recognizes(head) { return .trainerState }
        return JSONLogReader.recognizes(head) ? .jsonLines : nil
    }

    private static func run(file: String) -> FoundRun? {
        guard let format = format(of: file) else { return nil }
        let folder = FilePath.name(of: FilePath.folder(of: file))
        let name =
            switch format {
            case .tensorBoard, .trainerState: folder
            case .weightsAndBiases, .jsonLines: FilePath.name(of: file)
            }
        return FoundRun(source: file, name: name, format: format, files: [file])
    }

    private mutating func search(_ folder: String, depth: Int) {
        let names = Folder.readableNames(in: folder, limit: max(0, Self.mostEntries - entries))
        entries += names.count
        var folders: [String] = []
        var events: [String] = []
        var checkpoints: [(number: Int, file: String)] = []
        var holdsRun = false
        for name in names {
            let path = folder == "/" ? "/" + name : "\(folder)/\(name)"
            switch FilePath.kind(of: path) {
            case .folder:
                folders.append(path)
                let state = path + "/" + TrainerStateReader.fileName
                if name.hasPrefix("checkpoint-"), let number = Int(name.dropFirst(11)),
                    FilePath.kind(of: state) == .file
                {
                    checkpoints.append((number, state))
                }
            case .file where name.contains("tfevents"): events.append(path)
            case .file where name.hasSuffix(".wandb"):
                if let run = Self.run(file: path), run.format == .weightsAndBiases {
                    found.append(run)
                    holdsRun = true
                }
            case .file where name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson"):
                if let run = Self.run(file: path), run.format == .jsonLines { found.append(run) }
            case .file where name == TrainerStateReader.fileName:
                checkpoints.append((.max, path))
            default: break
            }
        }
        if !events.isEmpty {
            found.append(FoundRun(source: folder, name: runName(folder), format: .tensorBoard, files: events))
        }
        // A folder of checkpoints is one run: the newest holds the whole history.
        if let newest = checkpoints.max(by: { $0.number < $1.number }) {
            let source = folder + "/" + TrainerStateReader.fileName
            found.append(
                FoundRun(source: source, name: FilePath.name(of: folder), format: .trainerState, files: [newest.file]))
            let read = Set(checkpoints.map { FilePath.folder(of: $0.file) })
            folders.removeAll { read.contains($0) }
        }
        // What is next to a `.wandb` file belongs to it.
        guard !holdsRun, depth < Self.deepest else { return }
        for path in folders { search(path, depth: depth + 1) }
    }

    /// The path below the root, as TensorBoard names runs; the root itself has its own name.
    private func runName(_ folder: String) -> String {
        folder == root ? FilePath.name(of: root) : String(folder.dropFirst(root.count + (root == "/" ? 0 : 1)))
    }
}
