import ArgumentParser
import CommandSupport
import Console
import Formatting
import Glibc
import JSON
import Retrieval
import System
import Workspace

extension CorpusCommand {
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add files and folders to a corpus. Unchanged files are skipped.",
            discussion: """
                Text, Markdown, HTML, source code, PDF, JSONL, CSV, BEIR folders, and MS MARCO files are recognized by \
                content and name. If the command is interrupted, the corpus keeps all completed batches, and the same \
                command resumes. --dry-run reports languages, quality, and duplicates without adding documents.
                """)

        @Argument(help: "Files and folders.", completion: .file())
        var paths: [String]

        @Option(
            name: .shortAndLong,
            help: "Corpus name; created if missing. Default: only corpus, or folder name.")
        var corpus: String?

        @Option(help: "Chunker for a new corpus. Examples: automatic, recursive size=1200 overlap=200.")
        var chunker: String?

        @Option(help: "Analyzer for a new corpus. Examples: english, words, standard, german, cjk.")
        var analyzer: String?

        @Option(help: "Namespace of the documents.")
        var namespace: String?

        @Option(help: "Metadata KEY=VALUE for every document; repeatable.")
        var metadata: [String] = []

        @Option(help: "Text fields of JSONL and CSV, separated by commas.")
        var textFields: String?

        @Option(help: "Exclude matching files (.gitignore syntax); repeatable.")
        var exclude: [String] = []

        @Flag(help: "Exclude files that .gitignore files exclude.")
        var gitignore = false

        @Flag(help: "Remove documents whose files were deleted.")
        var prune = false

        @Flag(help: "Exclude near-duplicates from search (default: report only).")
        var dropDuplicates = false

        @Flag(help: "Preview languages, quality, and duplicates without adding documents.")
        var dryRun = false

        @Option(help: "Embedder: hashed, none, a model folder, or URL MODEL.")
        var embedder: String?

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            for pair in metadata where !pair.contains("=") {
                throw ValidationError("--metadata requires KEY=VALUE, but \"\(pair)\" has no \"=\".")
            }
        }

        func run() throws {
            try answering {
                let options = try addOptions()
                if dryRun { return try preview(options) }
                // A wrong path must not leave an empty corpus behind.
                for path in paths where access(path, R_OK) != 0 {
                    throw Problem(
                        .failed, path, "cannot be opened: \(String(cString: strerror(errno)))",
                        remedy: "Check the path and its permissions.")
                }
                let workspace = try place.open()
                let store = CorpusStore(workspace)
                let known = try Set(store.corpora().map(\.id))
                let found = try corpusToFill(store)
                let cancellation = Cancellation()
                let line = StatusLine()
                defer { line.end() }
                let report = try Interruption.cancelling(cancellation) {
                    let pace = AddPace()
                    return try store.addAsJob(paths, to: found.id, options: options, cancellation: cancellation) {
                        line.show(pace.text($0))
                    }
                }
                var notes: [String] = []
                if !report.isCancelled {
                    do {
                        if dropDuplicates { notes.append(try dropping(Retriever(workspace), found, cancellation)) }
                        if embedder != "none" {
                            notes += try CorpusAdding(store).embed(found, with: embedder, until: cancellation) {
                                line.show(
                                    "\($0.phase.rawValue) \(Format.count($0.done)) of \(Format.count($0.total)) chunks")
                            }
                        }
                    } catch is CancellationError {
                        line.end()
                        try show(report, notes, found)
                        throw Problem(
                            .cancelled, "", "canceled",
                            remedy:
                                "Added documents are saved; to compute the missing vectors, run: orrery corpus embed")
                    }
                }
                line.end()
                // After an add without changes, undo would revert an earlier change.
                let hasChanged = report.added + report.changed + report.removed > 0
                if found.isSample, hasChanged {
                    notes.append("\(found.name) is sample data. To undo the change, run: orrery corpus undo")
                }
                try show(report, notes, found)
                let hasNothing = report.added + report.changed + report.unchanged + report.removed == 0
                // An input without any readable content is a failure, as in trace import.
                if report.isCancelled { throw ExitCode(1) }
                if hasNothing {
                    if !known.contains(found.id) { try store.delete(found.id) }
                    let subject = paths.count == 1 ? paths[0] : "\(found.name)"
                    throw Problem(
                        .missing, subject, "no documents to add", remedy: "Choose files or folders that contain text.")
                }
            }
        }

        /// Prints what would be added: kinds, languages, quality problems, and duplicates.
        private func preview(_ options: AddOptions) throws {
            let preview = try CorpusPreview(paths, options: options)
            if output.json { return Output.json(preview) }
            Output.result(PreviewText(preview).text)
        }

        private func addOptions() throws -> AddOptions {
            var options = AddOptions()
            options.namespace = namespace
            options.prunes = prune
            for pair in metadata {
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                options.metadata[parts[0]] = MetadataValue(parsing: parts[1])
            }
            options.extraction.excludes = exclude
            options.extraction.followsGitignore = gitignore
            if let textFields { options.extraction.fields.text = textFields.split(separator: ",").map(String.init) }
            return options
        }

        /// Returns the corpus with this name, creating the corpus if necessary.
        private func corpusToFill(_ store: CorpusStore) throws -> Corpus {
            var settings = CorpusSettings()
            if let chunker { settings.chunker = chunker }
            if let analyzer { settings.analyzer = analyzer }
            let found = try CorpusAdding(store).corpus(named: corpus, for: paths, settings: settings)
            for (option, given, kept) in [
                ("chunker", chunker, found.settings.chunker), ("analyzer", analyzer, found.settings.analyzer),
            ] where given != nil && given != kept {
                throw Problem(
                    .invalid, "", "\(found.name) uses the \(option) \(kept)",
                    remedy: "To use another \(option), create a corpus with a different name.")
            }
            return found
        }

        private func dropping(_ retriever: Retriever, _ corpus: Corpus, _ cancellation: Cancellation) throws -> String {
            let report = try retriever.duplicates(of: corpus, until: cancellation)
            let count = try retriever.store.mark(report, in: corpus.id)
            return "excluded \(Format.count(count)) duplicates from search"
        }

        private func show(_ report: AddReport, _ notes: [String], _ corpus: Corpus) throws {
            if output.json {
                var json = JSONWriter(style: .pretty)
                json.object {
                    $0.member("corpus", corpus.name)
                    $0.member("report", report)
                    $0.member("notes", notes)
                }
                return Output.result(json.text)
            }
            let counts = [
                (report.added, "added"), (report.changed, "changed"), (report.unchanged, "unchanged"),
                (report.removed, "removed"), (report.skippedCount, "skipped"),
            ].filter { $0.0 > 0 }.map { "\(Format.count($0.0)) \($0.1)" }
            let none = report.isCancelled ? "none yet" : "no changes"
            var text = "\(Printable.line(corpus.name)): \(counts.isEmpty ? none : counts.joined(separator: ", "))"
            text += ", \(Format.count(report.chunks)) chunks"
            if let rate = report.bytesPerSecond { text += "  \(Format.rate(bytesPerSecond: rate))" }
            Output.result(text)
            for note in notes { Output.result("  \(note)") }
            for skipped in report.skipped.prefix(10) { Output.note("skipped \(skipped)") }
            if report.skippedCount > 10 { Output.note("and \(report.skippedCount - 10) more") }
            for note in report.notes.prefix(10) { Output.note(note) }
            if report.vanishedCount > 0, !prune {
                Output.note(
                    "\(report.vanishedCount) previously added files were deleted; to remove their documents, add --prune"
                )
            }
            if report.isCancelled {
                Output.note("orrery: canceled. Added files are saved; run the same command to resume.")
            }
        }
    }
}

/// Progress of an add as a line with rate and time left.
struct AddPace {
    private let begun = Clock.nanoseconds(.wall)

    func text(_ progress: AddProgress) -> String {
        var text = "adding"
        if progress.totalBytes > 0 {
            text += " \(Format.progress(Double(progress.bytes) / Double(progress.totalBytes)))"
        }
        text += "  \(Format.count(progress.documents)) documents"
        let seconds = Double(Clock.nanoseconds(.wall) - begun) / 1e9
        if seconds > 0.2, progress.bytes > 0 {
            let rate = Double(progress.bytes) / seconds
            text += "  \(Format.rate(bytesPerSecond: rate))"
            let left = Double(progress.totalBytes - progress.bytes) / rate
            text += "  \(Format.duration(seconds: left)) left"
        }
        return text
    }
}

/// Preview of an add as text.
struct PreviewText {
    let preview: CorpusPreview

    init(_ preview: CorpusPreview) { self.preview = preview }

    var text: String {
        var lines = ["\(Format.count(preview.documents)) documents, \(Format.bytes(preview.bytes)) of text"]
        lines.append("kinds      " + Self.counts(preview.kinds))
        lines.append("languages  " + Self.counts(preview.languages))
        if preview.skippedCount > 0 { lines.append("skipped    \(Format.count(preview.skippedCount)) files") }
        lines.append(
            "duplicates \(Format.count(preview.redundant)) documents in \(Format.count(preview.clusters.count)) "
                + "clusters"
        )
        for (documents, similarity) in preview.clusters.prefix(10) {
            let names = documents.prefix(4).map(Printable.line).joined(separator: "   ")
            lines.append("  \(Format.fixed(similarity, digits: 2))  \(names)\(documents.count > 4 ? "   …" : "")")
        }
        lines.append("flagged    \(Format.count(preview.doubtfulCount)) documents")
        for (document, reasons) in preview.doubtful.prefix(10) {
            lines.append("  \(Printable.line(document)): \(reasons.joined(separator: "; "))")
        }
        return lines.joined(separator: "\n")
    }

    /// Returns `manual 12, ticket 3`, the most frequent first.
    private static func counts(_ counts: [String: Int]) -> String {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \(Format.count($0.value))" }
            .joined(separator: ", ")
    }
}
