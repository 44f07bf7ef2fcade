// Holds a signed record against its checkpoints, and a proof against its line, with the libraries that verify Go's own
// checksum database: none of them is sabot's.
//
//	go run main.go RECORD STATION_VKEY WITNESS_VKEY PROOF
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A witness's key, which signs the time too: c2sp.org/tlog-cosignature. The library knows plain signatures alone.
type witness struct {
	name string
	id   uint32
	key  ed25519.PublicKey
}

func newWitness(vkey string) (*witness, error) {
	parts := strings.SplitN(vkey, "+", 3)
	if len(parts) != 3 {
		return nil, fmt.Errorf("no key: %s", vkey)
	}
	key, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(key) != 33 || key[0] != 4 {
		return nil, fmt.Errorf("no witness's key: %s", vkey)
	}
	hash := sha256.Sum256(append([]byte(parts[0]+"\n"), key...))
	id := binary.BigEndian.Uint32(hash[:4])
	if fmt.Sprintf("%08x", id) != parts[1] {
		return nil, fmt.Errorf("the number of %s should be %08x", vkey, id)
	}
	return &witness{parts[0], id, key[1:]}, nil
}

func (w *witness) Name() string    { return w.name }
func (w *witness) KeyHash() uint32 { return w.id }

func (w *witness) Verify(text, signature []byte) bool {
	if len(signature) != 72 {
		return false
	}
	time := binary.BigEndian.Uint64(signature[:8])
	signed := fmt.Sprintf("cosignature/v1\ntime %d\n%s", time, text)
	return ed25519.Verify(w.key, []byte(signed), signature[8:])
}

// The hashes of the tree, in the library's own order.
type hashes []tlog.Hash

func (h hashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var found []tlog.Hash
	for _, index := range indexes {
		if index >= int64(len(h)) {
			return nil, fmt.Errorf("the record is shorter than its checkpoint")
		}
		found = append(found, h[index])
	}
	return found, nil
}

func checkpoint(opened *note.Note) (size int64, root tlog.Hash, err error) {
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 {
		return 0, root, fmt.Errorf("no checkpoint: %q", opened.Text)
	}
	if size, err = strconv.ParseInt(lines[1], 10, 64); err != nil {
		return 0, root, err
	}
	root, err = tlog.ParseHash(lines[2])
	return size, root, err
}

// The notes of a file, an empty line after each.
func notes(path string) ([][]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	parts := bytes.Split(bytes.TrimSuffix(text, []byte("\n\n")), []byte("\n\n"))
	var all [][]byte
	for at := 0; at+1 < len(parts); at += 2 {
		all = append(all, []byte(string(parts[at])+"\n\n"+string(parts[at+1])+"\n"))
	}
	return all, nil
}

func run(record, station, witnessKey, proof string) error {
	signer, err := note.NewVerifier(station)
	if err != nil {
		return err
	}
	seen, err := newWitness(witnessKey)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(record)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	var tree hashes
	for at, line := range lines {
		more, err := tlog.StoredHashes(int64(at), []byte(line), tree)
		if err != nil {
			return err
		}
		tree = append(tree, more...)
	}
	signed, cosigned := 0, 0
	for _, path := range []string{record + ".checkpoints", record + ".witnessed"} {
		all, err := notes(path)
		if err != nil {
			return err
		}
		for _, one := range all {
			opened, err := note.Open(one, note.VerifierList(signer, seen))
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			size, root, err := checkpoint(opened)
			if err != nil {
				return err
			}
			found, err := tlog.TreeHash(size, tree)
			if err != nil {
				return err
			}
			if found != root {
				return fmt.Errorf("%s: %d lines do not lead to their checkpoint", path, size)
			}
			signed++
			if len(opened.Sigs) == 2 {
				cosigned++
			}
		}
	}
	index, err := included(proof, signer, lines)
	if err != nil {
		return err
	}
	fmt.Printf("%d checkpoints, %d cosigned, line %d proven\n", signed, cosigned, index+1)
	return nil
}

// c2sp.org/tlog-proof: the line's number, the hashes, and the checkpoint that they lead to.
func included(path string, signer note.Verifier, lines []string) (int64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	head, signed, found := strings.Cut(string(text), "\n\n")
	fields := strings.Split(head, "\n")
	if !found || len(fields) < 2 || fields[0] != "c2sp.org/tlog-proof@v1" {
		return 0, fmt.Errorf("no proof: %q", head)
	}
	index, err := strconv.ParseInt(strings.TrimPrefix(fields[1], "index "), 10, 64)
	if err != nil {
		return 0, err
	}
	var proof tlog.RecordProof
	for _, field := range fields[2:] {
		hash, err := tlog.ParseHash(field)
		if err != nil {
			return 0, err
		}
		proof = append(proof, hash)
	}
	opened, err := note.Open([]byte(signed), note.VerifierList(signer))
	if err != nil {
		return 0, err
	}
	size, root, err := checkpoint(opened)
	if err != nil {
		return 0, err
	}
	return index, tlog.CheckRecord(proof, size, root, index, tlog.RecordHash([]byte(lines[index])))
}
