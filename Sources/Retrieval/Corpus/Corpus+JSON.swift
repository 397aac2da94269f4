public import JSON
internal import SearchIndexes

extension Corpus: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("name", name)
            json.member("documents", documentCount)
            json.member("chunks", chunkCount)
            json.member("bytes", byteCount)
            json.member("chunker", settings.chunker)
            json.member("analyzer", settings.analyzer)
            json.member("k1", settings.k1)
            json.member("b", settings.b)
            json.member("created", created)
            json.member("sample", isSample)
        }
    }
}

extension DocumentRow: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", name)
            json.member("namespace", namespace)
            json.member("path", path)
            json.member("title", title)
            json.member("kind", kind)
            json.member("language", language)
            json.member("bytes", byteCount)
            json.member("chunks", chunkCount)
            json.member("added", added)
            json.member("changed", changed)
            json.member("duplicate", duplicate != nil)
        }
    }
}

extension ChunkRow: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("chunk", id)
            json.member("number", ordinal)
            json.member("start", range.lowerBound)
            json.member("end", range.upperBound)
            json.member("heading", heading)
            json.member("parent", ifPresent: parent)
            json.member("searched", isIndexed)
        }
    }
}

extension VectorSpace: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("embedder", embedder)
            json.member("dimension", dimension)
            json.member("metric", metric.rawValue)
            json.member("index", index)
            json.member("parameters", parameters)
            json.member("vectors", vectorCount)
            json.member("active", isActive)
            json.member("ready", isReady)
        }
    }
}
