public import JSON
internal import SearchIndexes

/// What files and folders would bring into a corpus: their kinds and languages, what speaks against texts, and what is
/// there twice. Nothing is added and nothing dropped.
public struct CorpusPreview: Sendable {
    public private(set) var documents = 0
    public private(set) var bytes = 0
    /// Number of documents by kind.
    public private(set) var kinds: [String: Int] = [:]
    public private(set) var languages: [String: Int] = [:]
    /// Documents that a rule speaks against, with its sentences.
    public private(set) var doubtful: [(document: String, reasons: [String])] = []
    public private(set) var doubtfulCount = 0
    /// Clusters of near-duplicate documents, each with its representative first and the lowest similarity to it.
    public private(set) var clusters: [(documents: [String], similarity: Double)] = []
    public private(set) var skipped: [String] = []
    public private(set) var skippedCount = 0

    /// The most doubtful documents that are named.
    private static let mostNamed = 1000

    /// Reads everything below some paths.
    public init(_ paths: [String], options: AddOptions = AddOptions()) throws {
        var finder = DuplicateFinder()
        var names: [String] = []
        var batch: [(label: Int64, text: String)] = []
        var counted = CorpusPreview()
        for path in paths {
            let report = try Extraction.documents(of: CorpusStore.absolute(path), options: options.extraction) {
                document in
                let quality = QualityReport(of: document.text)
                counted.count(document, quality)
                batch.append((Int64(names.count), document.text))
                names.append(document.id)
                if batch.count == 256 {
                    finder.add(batch)
                    batch = []
                }
                return true
            }
            counted.skippedCount += report.skippedCount
            counted.skipped += report.skipped.map(\.sentence)
        }
        finder.add(batch)
        counted.clusters = finder.report().clusters.map { cluster in
            let labels = [cluster.representative] + cluster.members.map(\.label)
            return (labels.map { names[Int($0)] }, cluster.members.map(\.similarity).min() ?? 1)
        }.sorted { $0.documents.count > $1.documents.count }
        self = counted
    }

    private init() {}

    private mutating func count(_ document: SourceDocument, _ quality: QualityReport) {
        documents += 1
        bytes += document.text.utf8.count
        kinds[document.kind.rawValue, default: 0] += 1
        let language = quality.language.flatMap { $0.confidence >= 0.65 ? $0.code : nil }
        languages[language ?? "unknown", default: 0] += 1
        guard !quality.isGood else { return }
        doubtfulCount += 1
        if doubtful.count < Self.mostNamed { doubtful.append((document.id, quality.reasons.map(\.sentence))) }
    }

    /// Documents that others stand for.
    public var redundant: Int { clusters.reduce(0) { $0 + $1.documents.count - 1 } }
}

extension CorpusPreview: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("documents", documents)
            json.member("bytes", bytes)
            for (name, counts) in [("kinds", kinds), ("languages", languages)] {
                json.member(name) { json in
                    json.object { json in
                        for (word, count) in counts.sorted(by: { $0.key < $1.key }) { json.member(word, count) }
                    }
                }
            }
            json.member("doubtful", doubtfulCount)
            json.member("doubtful_documents") { json in
                json.array { json in
                    for (document, reasons) in doubtful {
                        json.object {
                            $0.member("document", document)
                            $0.member("reasons", reasons)
                        }
                    }
                }
            }
            json.member("duplicates", redundant)
            json.member("clusters") { json in
                json.array { json in
                    for (documents, similarity) in clusters {
                        json.object {
                            $0.member("documents", documents)
                            $0.member("similarity", similarity)
                        }
                    }
                }
            }
            json.member("skipped", skippedCount)
        }
    }
}
