/// How queries, keys and values of one token lie side by side in a row: all heads of queries, then those of keys, then
/// those of values.
struct HeadLayout: Hashable {
    var heads: Int
    var kvHeads: Int
    /// Numbers of one head's query and key.
    var keyWidth: Int
    var valueWidth: Int

    var queryColumns: Int { heads * keyWidth }
    var keyColumns: Int { kvHeads * keyWidth }
    var valueColumns: Int { kvHeads * valueWidth }
    var columns: Int { queryColumns + keyColumns + valueColumns }
    /// Numbers of a row of what the heads gather.
    var gatheredColumns: Int { heads * valueWidth }

    /// The key-value head that a head reads.
    func kvHead(_ head: Int) -> Int { head / (heads / kvHeads) }
}
