internal import Bytes
internal import JSON
internal import System
internal import Tensors

/// Files of texts: documents with a separator between them, or records in JSON.
///
/// A record is `{"text": ...}`, `{"prompt": ..., "completion": ...}`, or `{"parts": [{"text": ..., "learn": false}]}`.
enum DocumentFile {
    /// The documents of a file, empty ones left out.
    ///
    /// - Throws: a sentence with the file, and the line of a record.
    static func read(_ path: String, separator: String) throws(Problem) -> [TrainingDocument] {
        let file: MappedFile
        do { file = try MappedFile(path) } catch { throw Problem(.failed, "", error.sentence) }
        defer { withExtendedLifetime(file) {} }
        let bytes = file.bytes.bindMemory(to: UInt8.self)
        return path.hasSuffix(".jsonl") || path.hasSuffix(".ndjson")
            ? try records(bytes, path) : texts(bytes, separator: Array(separator.utf8))
    }

    private static func texts(_ bytes: UnsafeBufferPointer<UInt8>, separator: [UInt8]) -> [TrainingDocument] {
        var documents: [TrainingDocument] = []
        func add(_ range: Range<Int>) {
            var range = range
            // The line on which the separator stands alone belongs to it, not to the texts round it.
            if range.lowerBound > 0, bytes[range.lowerBound..<range.upperBound].first == 0x0A {
                range = range.lowerBound + 1..<range.upperBound
            }
            guard bytes[range].contains(where: { $0 > 0x20 }) else { return }
            documents.append(TrainingDocument(String(decoding: bytes[range], as: UTF8.self)))
        }
        var start = 0
        var place = 0
        while place + separator.count <= bytes.count {
            if bytes[place] == separator[0], bytes[place..<place + separator.count].elementsEqual(separator) {
                add(start..<place)
                place += separator.count
                start = place
            } else {
                place += 1
            }
        }
        add(start..<bytes.count)
        return documents
    }

    private static func records(
        _ bytes: UnsafeBufferPointer<UInt8>, _ path: String
    ) throws(Problem) -> [TrainingDocument] {
        var documents: [TrainingDocument] = []
        let parser = JSONParser(maximumDepth: 64)
        let reader = JSONRecordReader(
            framing: .lines, maximumRecordBytes: bytes.count, read: ByteWindow.source(UnsafeRawBufferPointer(bytes)))
        var line = 0
        do {
            while let record = try reader.next() {
                line = record.line
                guard let document = document(try parser.parse(record.bytes)) else {
                    throw Problem(
                        .invalid, "\(path), line \(line)", "the record needs text, or prompt and completion, or parts")
                }
                if !document.text.isEmpty { documents.append(document) }
            }
        } catch let error as JSONError {
            throw Problem(.invalid, "\(path), line \(line)", "invalid JSON: \(error.problem.sentence)")
        } catch { throw Problem(error, in: "\(path), line \(line)") }
        return documents
    }

    private static func document(_ record: JSONNode) -> TrainingDocument? {
        if let text = record["text"]?.string { return TrainingDocument(text) }
        if let prompt = record["prompt"]?.string, let completion = record["completion"]?.string {
            return TrainingDocument([.init(prompt, isLearned: false), .init(completion)])
        }
        guard let parts = record["parts"], parts.kind == .array else { return nil }
        var read: [TrainingDocument.Part] = []
        for part in parts.elements {
            guard let text = part["text"]?.string else { return nil }
            read.append(.init(text, isLearned: part["learn"]?.bool ?? true))
        }
        return TrainingDocument(read)
    }
}
