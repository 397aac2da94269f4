internal import Glibc
internal import System

/// Turns files and folders into documents.
///
/// ```swift
/// let report = try Extraction.documents(of: "manuals/") { document in
///     print(document.id, document.text.utf8.count)
///     return true                                   // false ends the reading
/// }
/// for skipped in report.skipped { print(skipped.sentence) }
/// ```
/// Formats are detected by content and suffix. Unreadable files are skipped and named in the report; an error is
/// thrown only if nothing could be read, or by the receiver.
public enum Extraction {
    /// Reads all documents of a file, or of a folder's files in the order of their names.
    ///
    /// - Parameter receive: False says that no more is wanted.
    /// - Throws: `Problem` if the path cannot be opened; errors of `receive`.
    public static func documents(
        of path: String, options: ExtractionOptions = ExtractionOptions(), receive: (SourceDocument) throws -> Bool
    ) throws -> ExtractionReport {
        let listing = try files(of: path, options: options)
        var report = listing.report
        for file in listing.files where !report.wasEnded {
            try read(file, options: options, report: &report, receive: receive)
        }
        return report
    }

    /// Reads the documents of one file and adds to the report what came of it.
    ///
    /// A file of records is streamed: no more than the longest record is held.
    public static func read(
        _ file: SourceFile, options: ExtractionOptions = ExtractionOptions(), report: inout ExtractionReport,
        receive: (SourceDocument) throws -> Bool
    ) throws {
        try withoutActuallyEscaping(receive) { receive in
            let sink = DocumentSink(file) { document in
                do { return try receive(document) } catch { throw Refusal(error: error) }
            }
            defer {
                if sink.read.documents > 0 || sink.skipped.skippedCount == 0 { report.read.append(sink.read) }
                report.skippedCount += sink.skipped.skippedCount
                report.skipped += sink.skipped.skipped.prefix(max(0, 10_000 - report.skipped.count))
                report.wasEnded = report.wasEnded || sink.isEnded
            }
            do {
                try SourceFormats.reader(of: file.kind).read(file, options, into: sink)
            } catch let error as Refusal {
                throw error.error
            } catch let error as Problem {
                sink.skip(error.what + (error.remedy.map { ". " + $0.dropLast() } ?? ""))
            }
        }
    }

    /// An error thrown by the receiver, as opposed to an error of reading.
    private struct Refusal: Error {
        var error: any Error
    }

    /// The formats that are read, each with a line about it and its suffixes.
    public static var formats: [(kind: SourceKind, summary: String, suffixes: [String])] {
        SourceFormats.all.map { ($0.kind, $0.summary, $0.suffixes) }
    }
}
