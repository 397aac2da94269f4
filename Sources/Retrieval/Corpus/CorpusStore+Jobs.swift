internal import JSON
internal import System
public import Workspace

extension CorpusStore {
    /// The kind under which an add is taken up again.
    public static let addJob = "retrieval.add"

    /// Adds as ``add(_:to:options:job:cancellation:progress:)`` does, as a job of the workspace: cut off by kill -9, it
    /// shows in the list and can be taken up again.
    @discardableResult
    public func addAsJob(
        _ paths: [String], to corpus: Int64, options: AddOptions = AddOptions(), cancellation: Cancellation? = nil,
        progress: (AddProgress) -> Void = { _ in }
    ) throws -> AddReport {
        let found = try self.corpus(corpus)
        let name = paths.count == 1 ? paths[0].split(separator: "/").last.map(String.init) ?? paths[0] : nil
        let title = "add \(name ?? "\(paths.count) files and folders") to \(found.name)"
        var report = AddReport()
        let arguments = Self.addArguments(paths, to: corpus, options)
        try workspace.jobs.run(Self.addJob, title: title, unit: "bytes", arguments: arguments) { handle in
            report = try add(
                paths, to: corpus, options: options, job: handle, cancellation: cancellation, progress: progress)
            try finish(handle, with: report)
            return nil
        }
        return report
    }

    /// Ends the job of an add as its report says: canceled, or done with the report as its result.
    public func finish(_ handle: JobHandle, with report: AddReport) throws {
        if report.isCancelled { handle.cancelled() } else { try handle.finish(result: report.json()) }
    }

    /// What an add needs to be taken up again, wherever that will be. An embedder is not in it: a semantic chunker
    /// then has to be given one again.
    public static func addArguments(_ paths: [String], to corpus: Int64, _ options: AddOptions) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("paths", paths.map(absolute))
            json.member("corpus", corpus)
            json.member("namespace", ifPresent: options.namespace)
            json.member("namespaceKey", ifPresent: options.namespaceKey)
            if options.prunes { json.member("prunes", true) }
            json.member("excludes", options.extraction.excludes)
            json.member("followsGitignore", options.extraction.followsGitignore)
            json.member("kinds", ifPresent: options.extraction.kinds.map { $0.map(\.rawValue).sorted() })
            json.member("textFields", options.extraction.fields.text)
            json.member("titleFields", options.extraction.fields.title)
            json.member("idFields", options.extraction.fields.id)
            json.member("keepsLayout", options.extraction.pdf.keepsLayout)
            json.member("metadata") { json in
                json.object { json in
                    for (key, value) in options.metadata.sorted(by: { $0.key < $1.key }) {
                        json.member(key, value.shown)
                    }
                }
            }
        }
        return json.text
    }

    private static func addRequest(_ arguments: String?) -> (paths: [String], corpus: Int64, options: AddOptions)? {
        guard let arguments, let document = try? JSONDocument(parsing: arguments) else { return nil }
        return document.withRoot { root in
            guard let paths = root["paths"]?.elements.compactMap(\.string), let corpus = root["corpus"]?.int
            else { return nil }
            var options = AddOptions()
            options.namespace = root["namespace"]?.string
            options.namespaceKey = root["namespaceKey"]?.string
            options.prunes = root["prunes"]?.bool ?? false
            options.extraction.excludes = root["excludes"]?.elements.compactMap(\.string) ?? []
            options.extraction.followsGitignore = root["followsGitignore"]?.bool ?? false
            options.extraction.kinds = (root["kinds"]?.elements.compactMap(\.string)).map { names in
                Set(names.map { SourceKind(rawValue: $0) })
            }
            if let list = root["textFields"] { options.extraction.fields.text = list.elements.compactMap(\.string) }
            if let list = root["titleFields"] { options.extraction.fields.title = list.elements.compactMap(\.string) }
            if let list = root["idFields"] { options.extraction.fields.id = list.elements.compactMap(\.string) }
            options.extraction.pdf.keepsLayout = root["keepsLayout"]?.bool ?? false
            if let members = root["metadata"]?.members {
                for (key, value) in members {
                    options.metadata[key.string ?? ""] = value.string.map { MetadataValue(parsing: $0) }
                }
            }
            return (paths, corpus, options)
        }
    }

    /// Says how adds and embeddings go on after they were cut off: what is done is not done again.
    ///
    /// An endpoint's key is read from its variable again.
    public func registerJobs() {
        let store = self
        workspace.jobs.register(Self.addJob) { job, handle in
            guard let request = Self.addRequest(job.arguments) else {
                throw Problem(.invalid, "job \(job.id)", "the files to add are not recorded", remedy: "Add them again.")
            }
            handle.restart()
            let report = try store.add(request.paths, to: request.corpus, options: request.options, job: handle)
            try store.finish(handle, with: report)
        }
        workspace.jobs.register(Self.embedJob) { job, handle in
            guard let request = Self.embedRequest(job.arguments) else {
                throw Problem(
                    .invalid, "job \(job.id)", "the corpus and embedder are not recorded", remedy: "Embed again.")
            }
            handle.restart()
            try store.embed(
                request.corpus, specification: try EmbedderSpecification(request.settings.specification),
                settings: request.settings, job: handle)
            try handle.finish()
        }
    }
}
