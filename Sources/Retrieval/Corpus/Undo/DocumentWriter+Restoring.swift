internal import GRDB
internal import SearchIndexes

extension DocumentWriter {
    /// The outcome of restoring a document.
    enum Restoration {
        case restored
        /// The document was removed after the edit being undone.
        case removedSince
        case nameTaken
    }

    /// Restores a document as it was before an edit. The document and its chunks get their old rows back, so references
    /// to them stay valid.
    ///
    /// Dropped vectors come back with the next embedding.
    func restore(_ id: Int64, from edit: Int64) throws -> Restoration {
        let former = try Row.fetchOne(
            db, sql: "SELECT * FROM retrieval_former_document WHERE edit = ? AND id = ?", arguments: [edit, id])
        guard let former else { return .removedSince }
        let bytes = try Int.fetchOne(db, sql: "SELECT bytes FROM retrieval_document WHERE id = ?", arguments: [id])
        guard bytes != nil || former["gone"] else { return .removedSince }
        if bytes != nil {
            try settleMarks(id)
            for table in ["text", "metadata"] {
                try db.execute(sql: "DELETE FROM retrieval_\(table) WHERE document = ?", arguments: [id])
            }
        } else {
            let isTaken = try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM retrieval_document WHERE corpus = ? AND namespace = ? AND name = ?)
                    """, arguments: [former["corpus"], former["namespace"], former["name"]])
            if isTaken == true { return .nameTaken }
        }
        try writeRow(id, edit, isNew: bytes == nil)
        try db.execute(
            sql: """
                INSERT INTO retrieval_text (document, part, bytes, data)
                SELECT document, part, bytes, data FROM retrieval_former_text WHERE edit = ? AND document = ?
                """, arguments: [edit, id])
        try db.execute(
            sql: """
                INSERT INTO retrieval_metadata (corpus, document, key, place, type, number, text)
                SELECT corpus, document, key, place, type, number, text FROM retrieval_former_metadata
                WHERE edit = ? AND document = ?
                """, arguments: [edit, id])
        try restoreChunks(of: id, edit)
        count(documents: bytes == nil ? 1 : 0, bytes: former["bytes"] - (bytes ?? 0))
        return .restored
    }

    /// Writes the document's row, without references to a file or duplicate that is gone. The next add reads the file
    /// again.
    private func writeRow(_ id: Int64, _ edit: Int64, isNew: Bool) throws {
        let columns = "source, path, digest, title, kind, language, bytes, chunks, added, changed, duplicate"
        let values = """
            (SELECT id FROM retrieval_source WHERE id = f.source), path, digest, title, kind, language, bytes, chunks,
            added, changed, (SELECT id FROM retrieval_document WHERE id = f.duplicate)
            """
        if isNew {
            try db.execute(
                sql: """
                    INSERT INTO retrieval_document (id, corpus, namespace, name, \(columns))
                    SELECT id, corpus, namespace, name, \(values) FROM retrieval_former_document f
                    WHERE edit = ? AND id = ?
                    """, arguments: [edit, id])
        } else {
            try db.execute(
                sql: """
                    UPDATE retrieval_document SET (\(columns)) =
                        (SELECT \(values) FROM retrieval_former_document f WHERE edit = ?1 AND id = ?2)
                    WHERE id = ?2
                    """, arguments: [edit, id])
        }
        try db.execute(
            sql: """
                UPDATE retrieval_source SET whole = 0
                WHERE id = (SELECT source FROM retrieval_document WHERE id = ?)
                """, arguments: [id])
    }

    private func restoreChunks(of id: Int64, _ edit: Int64) throws {
        var current = Set(
            try Int64.fetchAll(db, sql: "SELECT id FROM retrieval_chunk WHERE document = ?", arguments: [id]))
        let former = try Row.fetchAll(
            db,
            sql: """
                SELECT id, ordinal, first, beyond, parent, indexed, heading, digest FROM retrieval_former_chunk
                WHERE edit = ? AND document = ? ORDER BY indexed, id
                """, arguments: [edit, id])
        let known = Set(former.map { $0["id"] as Int64 })
        for chunk in try oldChunks(id).values.joined() where !known.contains(chunk.id) {
            try forget(chunk)
            current.remove(chunk.id)
        }
        guard let row = try CorpusStore.document(id, db) else { return }
        let isSearched = row.duplicate == nil
        let text = try DocumentTexts.read(id, db)
        for chunk in former {
            let label: Int64 = chunk["id"]
            let isIndexed: Bool = chunk["indexed"]
            if current.contains(label) {
                try db.execute(
                    sql: """
                        UPDATE retrieval_chunk SET ordinal = ?, first = ?, beyond = ?, parent = ?, heading = ?
                        WHERE id = ?
                        """,
                    arguments: [
                        chunk["ordinal"], chunk["first"], chunk["beyond"], chunk["parent"], chunk["heading"], label,
                    ])
                if isIndexed, !isSearched {
                    try withdraw(label)
                    chunkDifference -= 1
                }
                continue
            }
            try db.execute(
                sql: """
                    INSERT INTO retrieval_chunk (id, document, ordinal, first, beyond, parent, indexed, heading, digest)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    label, id, chunk["ordinal"], chunk["first"], chunk["beyond"], chunk["parent"], isIndexed,
                    chunk["heading"], chunk["digest"],
                ])
            guard isIndexed, isSearched else { continue }
            let first: Int = chunk["first"]
            let beyond: Int = chunk["beyond"]
            let texts = ChunkTexts(
                title: row.title, heading: chunk["heading"], text: text.bytes(first..<max(first, beyond)),
                kind: SourceKind(rawValue: row.kind))
            try lexical.add(label, texts: texts.lexical(settings.fields))
            chunkDifference += 1
            try db.execute(sql: "DELETE FROM retrieval_retired WHERE chunk = ?", arguments: [label])
        }
    }
}
