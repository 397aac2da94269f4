public import JSON

extension AddReport: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("added", added)
            json.member("changed", changed)
            json.member("unchanged", unchanged)
            json.member("removed", removed)
            json.member("chunks", chunks)
            json.member("skipped", skippedCount)
            json.member("skipped_because", Array(skipped.prefix(100)))
            json.member("vanished", vanishedCount)
            json.member("vanished_files", Array(vanished.prefix(100)))
            json.member("notes", Array(notes.prefix(100)))
            json.member("bytes_read", bytesRead)
            json.member("text_bytes", textBytes)
            json.member("seconds", seconds)
            json.member("cancelled", isCancelled)
        }
    }
}
