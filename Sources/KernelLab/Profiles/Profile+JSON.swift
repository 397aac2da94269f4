public import JSON

extension Figure: JSONRepresentable {
    /// `{"value": 1e9, "quality": "exact"}`; null for a missing one.
    public func write(to json: inout JSONWriter) {
        guard let value else { return json.null() }
        json.object { json in
            json.member("value", value)
            json.member("quality", quality)
        }
    }
}

extension Extent: JSONRepresentable {
    public func write(to json: inout JSONWriter) { [x, y, z].write(to: &json) }
}

extension ProfiledDevice: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("compute_capability", ifPresent: computeCapability)
            json.member("core_clock_hz", ifPresent: coreClock)
            json.member("memory_clock_hz", ifPresent: memoryClock)
            if let roof { json.member("roof") { roof.writeMembers(to: &$0) } }
        }
    }
}

extension Roofline {
    /// Writes title, roofs and source as an object.
    func writeMembers(to json: inout JSONWriter) {
        json.object { json in
            json.member("title", title)
            json.objects("compute", of: compute) { roof, json in
                json.member("name", roof.name)
                json.member("rate", roof.rate)
            }
            json.objects("memory", of: memory) { roof, json in
                json.member("name", roof.name)
                json.member("bandwidth", roof.bandwidth)
            }
            json.member("source", source)
        }
    }
}

extension ProfileSummary: JSONRepresentable {
    public func write(to json: inout JSONWriter) { json.object { members(to: &$0) } }

    func members(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("title", title)
        json.member("tool", tool)
        json.member("format", format)
        json.member("path", path)
        json.member("bytes", size)
        json.member("digest", String(digest, radix: 16))
        json.member("imported", imported)
        json.member("launches", launchCount)
        json.member("kernels", kernelCount)
        json.member("seconds", seconds)
        json.member("untimed_launches", untimedLaunches)
        json.member("devices", devices)
        json.member("notes", notes)
    }
}

extension Launch: JSONRepresentable {
    public func write(to json: inout JSONWriter) { write(to: &json, counterNames: nil, roof: nil) }

    /// Writes the launch with the tool's own figures by name, and where it stands on a roof.
    func write(to json: inout JSONWriter, counterNames: [String]?, roof: Roofline?) {
        json.object { json in
            json.member("ordinal", ordinal)
            json.member("id", ifPresent: externalID)
            json.member("name", name)
            json.member("device", device)
            json.member("stream", ifPresent: stream)
            json.member("start_s", ifPresent: start)
            json.member("duration_s", ifPresent: duration)
            json.member("grid", ifPresent: grid)
            json.member("block", ifPresent: block)
            json.member("registers", ifPresent: registers)
            json.member("shared_bytes", ifPresent: sharedMemory)
            json.member("occupancy", ifPresent: occupancy)
            json.member("operations", Dictionary(operations.map { ($0.kind.title, $0.count) }, uniquingKeysWith: +))
            json.member("uncounted", uncounted.map(\.title))
            json.member("bytes", Dictionary(traffic.map { ($0.level.rawValue, $0.bytes) }, uniquingKeysWith: +))
            json.member("work", work)
            json.member("rate", rate)
            let intensities = TrafficLevel.allCases.compactMap { level -> (String, Figure)? in
                let intensity = intensity(level)
                return intensity == .missing ? nil : (level.rawValue, intensity)
            }
            json.member("intensity", Dictionary(intensities, uniquingKeysWith: { first, _ in first }))
            if let roof { standing(json: &json, roof) }
            if let source {
                json.member("source") { json in
                    json.object { json in
                        json.member("operator", source.name)
                        json.member("dimensions", ifPresent: source.dimensions)
                    }
                }
            }
            if let counterNames, !counters.isEmpty {
                json.member("counters") { json in
                    json.object { json in
                        for counter in counters where counterNames.indices.contains(counter.name) {
                            json.member(counterNames[counter.name], counter.value)
                        }
                    }
                }
            }
            json.member("notes", notes)
        }
    }

    private func standing(json: inout JSONWriter, _ roof: Roofline) {
        guard let standing = standing(on: roof) else { return }
        json.member("roof") { json in
            json.object { json in
                json.member("limit", standing.limit.name)
                json.member("attainable", standing.attainable)
                json.member("share", standing.share)
            }
        }
    }
}

extension Profile: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        let roofs = summary.devices.indices.map { summary.roofline(ofDevice: $0) }
        json.object { json in
            summary.members(to: &json)
            json.member("launch_list") { json in
                json.array { json in
                    for launch in launches {
                        launch.write(
                            to: &json, counterNames: summary.counterNames,
                            roof: roofs.indices.contains(launch.device) ? roofs[launch.device] : nil)
                    }
                }
            }
        }
    }
}

extension ProfileImportReport: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("new", isNew)
            summary.members(to: &json)
        }
    }
}
