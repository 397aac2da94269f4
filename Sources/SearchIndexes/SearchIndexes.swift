/// Lexical and vector indexes, and the segments they are kept in: no file, no database, no model.
///
/// ```swift
/// let rows = try VectorRows(dimension: 384, metric: .cosine)
/// for (label, vector) in vectors { try rows.append(vector, label: label) }
/// let index = HNSWIndex(rows)
/// try index.add(slots: 0..<rows.count, threads: 2) { _ in true }
/// let nearest = try index.search(query, VectorRequest(k: 10, effort: 64))
/// ```
public enum SearchIndexes {}
