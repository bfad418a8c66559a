package marker

import (
	"errors"
	"os"
	"path/filepath"
)

// CheckWritable reports why [Write] could not write a file, as far as one can know
// beforehand.
func CheckWritable(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".protean-")
	if err != nil {
		return errors.Join(err, f.Close())
	}
	return errors.Join(f.Close(), temp.Close(), os.Remove(temp.Name()))
}

// Write puts text in place of what is in an existing file, all at once: a reader
// of the file sees the old text or the new one. Permissions stay, and a symbolic
// link goes on pointing to the file.
func Write(path string, text []byte) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".protean-")
	if err != nil {
		return err
	}
	_, err = temp.Write(text)
	err = errors.Join(err, temp.Chmod(info.Mode().Perm()), temp.Sync(), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		os.Remove(temp.Name())
	}
	return err
}
