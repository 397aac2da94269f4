import Testing

/// Cancels a test of something that this machine lacks, so that the report shows it.
func skip(unless isAvailable: Bool, _ what: some Any) throws {
    if !isAvailable { try Test.cancel("\(what) is not available on this machine") }
}
