internal import Console
internal import Formatting
internal import Retrieval
internal import Workspace

extension RetrievalPanel {
    package func preview(of reference: Reference) -> Preview.Work {
        let engine = engine
        return { _ in
            guard let number = reference.path.first else { return .unplaced }
            switch reference.kind {
            case .corpus: return .shows("the corpus \(try engine.corpus(number).corpus.name)")
            case .chunk:
                return .shows("the chunk in its document \(try engine.passage(chunk: number).passage.passage.document)")
            default:
                let span = reference.path.count > 1 ? Int(clamping: reference.path[1]) : nil
                guard let record = try engine.foreign.record(ofTrace: number, span: span) else {
                    return .nothing("no retrieval was recorded at this step")
                }
                let passages = Format.count(record.passages.count, "passage")
                return .shows("\(passages) found for \"\(record.query.truncated(toColumns: 40))\"")
            }
        }
    }
}
