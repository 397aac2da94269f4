public import JSON

extension DevicePeaks: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("aliases", aliases)
            json.member("tera_operations", Dictionary(compute.map { ($0.name, $0.rate) }, uniquingKeysWith: max))
            json.member("memory_gb_s", memoryBandwidth)
            json.member("caches_gb_s", Dictionary(caches.map { ($0.name, $0.rate) }, uniquingKeysWith: max))
            json.member("cache_mib", ifPresent: cacheSize)
            json.member("formula", formula)
            json.member("source", source)
        }
    }
}
